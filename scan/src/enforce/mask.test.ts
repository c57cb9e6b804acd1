import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { maskLines } from "./mask.ts";

const maskLine = (line: string, reported: ReadonlySet<string>) => maskLines(line, reported).join("\n");

describe("the preview of a line", () => {
  it("masks every string that is no key and not part of the report", () => {
    const reported = new Set(["npx", "-y", "https://a.example/mcp"]);
    const masked = (line: string) => maskLine(line, reported);
    assert.equal(
      masked('  "e": {"command":"npx","args":["-y", "hunter2"],'),
      '  "e": {"command":"npx","args":["-y", "[REDACTED]"],',
    );
    assert.equal(masked('"url": "https://u:p@a.example/mcp?key=1"'), '"url": "https://a.example/mcp"');
    assert.equal(
      masked('"headers": { "Authorization": "Bearer x" },'),
      '"headers": { "Authorization": "[REDACTED]" },',
    );
    assert.equal(masked("args = ['hunter2', \"x\"]"), 'args = ["[REDACTED]", "[REDACTED]"]');
    assert.equal(masked('[mcp_servers."evil.too"]'), '[mcp_servers."evil.too"]');
    assert.equal(masked('["hunter2"]'), '["[REDACTED]"]');
    assert.equal(masked('"type": "streamable-http"'), '"type": "streamable-http"');
    assert.equal(masked("x // hunter2"), "[REDACTED] // [REDACTED]");
  });

  it("masks strings with escaped quotes and after empty strings", () => {
    const masked = (line: string) => maskLine(line, new Set());
    assert.equal(masked('"x": "a\\"b", "y": ""'), '"x": "[REDACTED]", "y": ""');
    assert.equal(masked('["", "hunter2"]'), '["", "[REDACTED]"]');
    assert.equal(masked("['', 'hunter2']"), '["", "[REDACTED]"]');
  });

  it("shows strings in headers of tables, but not in lists that start like them", () => {
    const masked = (line: string) => maskLine(line, new Set());
    for (const header of ['[a."x y"]', '  [[A_9-b."x y"]] ', "[a.'x y'.b.\"z\"]", '[_a."x"]'])
      assert.equal(masked(header), header);
    for (const [line, expected] of [
      ['args = [true, "hunter2"]', 'args = [true, "[REDACTED]"]'],
      ['[true, "hunter2"]', '[true, "[REDACTED]"]'],
      ['[[[true."hunter2"]', '[[[[REDACTED]"[REDACTED]"]'],
      ['[a] # "hunter2"', "[a] # [REDACTED]"],
      ['x [a."hunter2"]', '[REDACTED] [[REDACTED]"[REDACTED]"]'],
      ['[a."hunter2"]]]', '[[REDACTED]"[REDACTED]"]]]'],
    ])
      assert.equal(masked(String(line)), expected);
  });

  it("masks numbers, dates, words and comments, but no names", () => {
    const masked = (line: string) => maskLine(line, new Set(["8080"]));
    for (const [line, expected] of [
      ['"PIN": 123456789, "on": true, "no": null', '"PIN": [REDACTED], "on": true, "no": null'],
      ["PIN = 123456789 # hunter2", "PIN = [REDACTED] # [REDACTED]"],
      ["port = 8080", "port = 8080"],
      ['a.b-c."d e".f = -1.5e6', 'a.b-c."d e".f = [REDACTED]'],
      ["pins = [123456789]", "pins = [[REDACTED]]"],
      ['{"x": 1 /* hunter2 */ } // hunter2', '{"x": [REDACTED] /* [REDACTED] } // [REDACTED]'],
      ['"gh ghp_Canarya1B2c3D4e5F6g7H8i9J0k1L2m3N4o5": {', '"gh [REDACTED]": {'],
    ])
      assert.equal(masked(String(line)), expected);
    assert.ok(!/1979|27|00/.test(masked("at = 1979-05-27T07:32:00Z")));
  });

  it("masks strings, comments and lists over several lines, and keeps the number of lines", () => {
    for (const [text, expected] of [
      ['K = """\nhunter2 "swordfish"\n\n[a.b]\nx = 1 \\""" \n"""\n[c]', "K = [R]\n[R]\n\n[R]\n[R]\n[R]\n[c]"],
      ["K = '''\nhunter2\n'''\nL = 1", "K = [R]\n[R]\n[R]\nL = [R]"],
      ['{ /* hunter2\nhunter2 */\n"a": "" }', '{ /* [R]\n[R]\n"a": "" }'],
      ["pins = [\n  [123],\n  [123]\n]\n[a.b]", "pins = [\n  [[R]],\n  [[R]]\n]\n[a.b]"],
      ['"unfinished\nhunter2', '"[R]"\n[R]'],
    ])
      assert.equal(maskLine(String(text), new Set()), String(expected).replaceAll("[R]", "[REDACTED]"));
  });

  it("shows names of transports", () => {
    for (const text of ["stdio", "http", "sse", "streamable-http", "streamableHttp", "local", "remote"])
      assert.equal(maskLine(`"type": "${text}"`, new Set()), `"type": "${text}"`);
  });

  it("shows a URL only without its secrets, and only if the report contains it", () => {
    const masked = (line: string) => maskLine(line, new Set(["https://a.example/mcp", "ftp://a.example"]));
    assert.equal(masked('x = "HTTPS://a.example/mcp?key=1"'), 'x = "https://a.example/mcp"');
    assert.equal(masked('x = "https://b.example/mcp"'), 'x = "[REDACTED]"');
    assert.equal(masked('x = "ftp://u:p@a.example"'), 'x = "[REDACTED]"');
    assert.equal(masked('x = " https://a.example/mcp"'), 'x = "[REDACTED]"');
  });
});

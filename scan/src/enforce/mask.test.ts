import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { maskLine } from "./mask.ts";

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
    assert.equal(masked("x // sk-ant-api03-aaaaBBBBccccDDDDeeeeFFFF0123"), "x // [REDACTED]");
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
      ['[[[true."hunter2"]', '[[[true."[REDACTED]"]'],
      ['[a] # "hunter2"', '[a] # "[REDACTED]"'],
      ['x [a."hunter2"]', 'x [a."[REDACTED]"]'],
      ['[a."hunter2"]]]', '[a."[REDACTED]"]]]'],
    ])
      assert.equal(masked(String(line)), expected);
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

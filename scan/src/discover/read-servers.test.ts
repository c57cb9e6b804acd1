import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConfigFormat } from "../tables/mcp-configs.ts";
import { parseConfig } from "./parse-config.ts";
import { describeServer, findServers } from "./read-servers.ts";

/** Everything that the servers of a file run or connect to. */
function targets(text: string, keys: readonly (readonly string[])[] = [["mcpServers"]], format: ConfigFormat = "json") {
  return findServers(parseConfig(text, format), keys)
    .flatMap(describeServer)
    .map(({ name, command, args = [], url }) => [name, url ?? [command, ...args].join(" ")].join(": "));
}

const entry = (fields: unknown) => JSON.stringify({ mcpServers: { x: fields } });

describe("the servers of a configuration", () => {
  for (const [fields, expected] of [
    [{ command: "npx", args: ["good"], url: "https://evil" }, ["x: npx good", "x: https://evil"]],
    [{ url: "https://good", serverUrl: "https://evil", httpUrl: "https://worse" }, 3],
    [{ url: ["https://good", "https://evil"] }, ["x: https://good", "x: https://evil"]],
    [{ URL: "https://evil" }, ["x: https://evil"]],
    [{ Command: "evil", ARGS: ["y"] }, ["x: evil y"]],
    [{ command: "good", cmd: "evil" }, ["x: good", "x: evil"]],
    [{ command: { path: "good", command: "evil", args: ["y"] } }, ["x: good y", "x: evil y"]],
    [{ command: ["npx", "good"], url: "https://evil" }, ["x: npx good", "x: https://evil"]],
    [{ command: "npx", args: ["good"], arguments: ["evil"] }, ["x: npx good", "x: npx evil"]],
    [{ command: "npx", args: "-y evil" }, ["x: npx -y evil"]],
    [{ command: "npx", args: { 0: "-y", 1: "evil" } }, ["x: npx -y evil"]],
    [{ type: "builtin", command: "evil" }, ["x: evil"]],
    [{ type: "http", command: "evil", url: "https://evil" }, ["x: evil", "x: https://evil"]],
    [{ transport: { type: "stdio", command: "evil", args: ["y"] } }, ["x: evil y"]],
    [{ command: "good", platform_overrides: { win32: { command: "evil" } } }, ["x: good", "x: evil"]],
    [{ url: "https://one", serverUrl: "https://one" }, ["x: https://one"]],
    [{ type: "builtin", name: "memory" }, []],
    [{ command: 5, url: {} }, []],
    ["npx evil", []],
  ] as const) {
    it(`are all reported of ${JSON.stringify(fields)}`, () => {
      const found = targets(entry(fields));
      if (typeof expected === "number") assert.equal(found.length, expected);
      else assert.deepEqual(found, expected);
    });
  }

  it("are those of all keys that occur several times", () => {
    const text = `{"mcpServers": {"x": {"command": "evil"}, "x": {"command": "good"}},
      "mcpServers": {"x": {"command": "last", "command": "worse"}}}`;
    assert.deepEqual(targets(text), ["x: evil", "x: good", "x: last", "x: worse"]);
  });

  it("are those of all names, also of properties of every object", () => {
    for (const name of ["__proto__", "constructor", "hasOwnProperty", ""]) {
      const shown = name === "" ? "(unnamed)" : name;
      assert.deepEqual(targets(`{"mcpServers": {"${name}": {"command": "evil"}}}`), [`${shown}: evil`]);
      assert.deepEqual(targets(`mcpServers:\n  "${name}":\n    command: evil\n`, [["mcpServers"]], "yaml"), [
        `${shown}: evil`,
      ]);
      assert.deepEqual(targets(`[mcpServers."${name}"]\ncommand = "evil"\n`, [["mcpServers"]], "toml"), [
        `${shown}: evil`,
      ]);
    }
    assert.deepEqual(targets(`{"__proto__": {"mcpServers": {"x": {"command": "evil"}}}}`), []);
  });

  it("are those of all keys of the client, also in another case", () => {
    const keys = [["mcp", "servers"], ["mcp.servers"]];
    assert.deepEqual(targets(`{"mcp": {"servers": {"a": {"url": "u"}}}, "mcp.servers": {"b": {"url": "v"}}}`, keys), [
      "a: u",
      "b: v",
    ]);
    assert.deepEqual(targets(`{"McpServers": {"a": {"url": "u"}}}`), ["a: u"]);
  });

  it("are no lists of servers where the entire file can be one", () => {
    const text = `{"mcpServers": {"command": {"command": "x"}}, "b": {"command": "y"}}`;
    assert.deepEqual(targets(text, [["mcpServers"], []]), ["command: x", "b: y"]);
  });

  it("are found in a limited time, however often keys are repeated", () => {
    const repeated = (key: string) => Array.from({ length: 5000 }, (_, at) => `"${key}": ["${at}"]`).join();
    const commands = Array.from({ length: 5000 }, (_, at) => `"command": "${at}"`).join();
    const found = targets(`{"mcpServers": {"x": {${repeated("args")}, ${commands}}}}`);
    assert.ok(found.length > 1000 && found.length < 10_000, String(found.length));
  });
});

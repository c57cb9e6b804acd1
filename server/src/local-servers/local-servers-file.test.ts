import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { BadSetting } from "#lib/bad-setting";
import { readLocalServersFile } from "./local-servers-file.ts";

const directory = mkdtempSync(join(tmpdir(), "gatehouse-file-"));
after(() => rmSync(directory, { recursive: true }));
const path = join(directory, "servers.json");

function read(content: unknown) {
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return readLocalServersFile(path);
}

describe("local servers file", () => {
  it("assigns each server its slug, and resolves paths relative to the file", () => {
    const mcpServers = {
      "My Files": { command: "npx", args: ["-y", "files"], env: { KEY: "k" }, cwd: "data", type: "stdio" },
      clock: { command: "/bin/clock" },
    };
    assert.deepEqual(read({ mcpServers, other: 1 }), [
      {
        slug: "my-files",
        name: "My Files",
        command: "npx",
        args: ["-y", "files"],
        env: { KEY: "k" },
        cwd: join(directory, "data"),
      },
      { slug: "clock", name: "clock", command: "/bin/clock", args: [], env: {}, cwd: undefined },
    ]);
    assert.deepEqual(read({ mcpServers: {} }), []);
  });

  const SECRET = 5_123_456;
  for (const [what, content, expected] of [
    ["invalid JSON", "{", "is not valid JSON"],
    ["missing servers", {}, "at mcpServers: must be an object"],
    ["a server without a command", { mcpServers: { a: { url: "x" } } }, "at mcpServers.a.command: must be a string"],
    ["an empty command", { mcpServers: { a: { command: "" } } }, "at mcpServers.a.command: must not be empty"],
    [
      "arguments that are not a list",
      { mcpServers: { a: { command: "a", args: "x" } } },
      "at mcpServers.a.args: must be",
    ],
    [
      "a variable that is not a string",
      { mcpServers: { a: { command: "a", env: { KEY: SECRET } } } },
      "at mcpServers.a.env.KEY: must be a string",
    ],
    ["a zero byte", { mcpServers: { a: { command: "a\0b" } } }, "contains a zero byte at mcpServers.a"],
    [
      "two names with the same slug",
      { mcpServers: { "My Files": { command: "a" }, "my-files": { command: "b" } } },
      'names "My Files" and "my-files" have the same slug: my-files',
    ],
  ] as const) {
    it(`rejects ${what} with one line that names the location`, () => {
      assert.throws(
        () => read(content),
        (error) => {
          assert.ok(error instanceof BadSetting);
          assert.ok(
            error.message.startsWith(`LOCAL_SERVERS_FILE: ${path} `) && error.message.includes(expected),
            error.message,
          );
          assert.doesNotMatch(error.message, /5123456|\n/);
          return true;
        },
      );
    });
  }

  it("rejects a missing file with one line", () => {
    assert.throws(
      () => readLocalServersFile("/no/such/file"),
      /^BadSetting: LOCAL_SERVERS_FILE: \/no\/such\/file cannot be read$/,
    );
  });
});

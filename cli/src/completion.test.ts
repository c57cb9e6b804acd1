import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { promisify } from "node:util";
import { makeFolder, openShell } from "../test/run.ts";
import { COMMANDS } from "./commands.ts";

const shell = openShell(() => ({ url: "http://127.0.0.1:1", token: "" }));

async function scriptFor(name: string): Promise<string> {
  const { code, stdout, stderr } = await shell.run(["completion", name]);
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

describe("gatehouse completion bash", () => {
  const file = join(makeFolder(), "completion.bash");
  before(async () => writeFileSync(file, await scriptFor("bash")));

  /** The completions that bash offers for the last word. */
  async function completions(...words: string[]): Promise<string[]> {
    const typed = ["gatehouse", ...words].map((word) => `'${word}'`).join(" ");
    const code = `source '${file}'; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", code]);
    return stdout.split("\n").filter(Boolean);
  }

  it("completes commands of the server and of the client", async () => {
    assert.deepEqual(await completions("ser"), ["serve", "servers"]);
    const all = await completions("");
    for (const name of [...Object.keys(COMMANDS), "keys", "completion", "--version"])
      assert.ok(all.includes(name), name);
  });

  it("completes verbs, also after a noun in the singular", async () => {
    const servers = await COMMANDS.servers?.load();
    assert.ok(servers && "verbs" in servers);
    assert.deepEqual(await completions("servers", ""), Object.keys(servers.verbs));
    assert.deepEqual(await completions("server", "li"), ["list", "limit-tools"]);
    assert.deepEqual(await completions("keys", ""), ["status", "generate", "rotate"]);
  });

  it("completes the options of a verb, and of a command with a default verb", async () => {
    assert.deepEqual(await completions("servers", "list", "--s"), ["--status", "--search"]);
    assert.deepEqual(await completions("group", "create", "x", "--no-s"), ["--no-show-drafts"]);
    assert.deepEqual(await completions("logs", "--fol"), ["--follow"]);
    assert.deepEqual(await completions("logs", "--limit", "5", "--fol"), ["--follow"]);
    assert.deepEqual(await completions("keys", "rotate", "--d"), ["--data-keys"]);
  });

  it("offers nothing for arguments, so that bash completes file names", async () => {
    assert.deepEqual(await completions("servers", "get", ""), []);
    assert.deepEqual(await completions("call", ""), []);
  });
});

describe("gatehouse completion", () => {
  it("prints a script for zsh and fish with every command", async () => {
    const [zsh, fish] = await Promise.all([scriptFor("zsh"), scriptFor("fish")]);
    assert.match(zsh, /^#compdef gatehouse\n/);
    for (const name of [...Object.keys(COMMANDS), "serve"]) {
      assert.match(zsh, new RegExp(`candidates="[^"]*\\b${name}\\b`));
      assert.ok(fish.includes(`complete -c gatehouse -n '__gatehouse_at 1' -f -a ${name} -d '`), name);
    }
    assert.ok(fish.includes("-l output -x -a 'table json' -d "));
  });
});

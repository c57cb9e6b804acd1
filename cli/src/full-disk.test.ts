import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import { createGroup } from "#test/factories";
import { GATEHOUSE } from "#test/gatehouse-command";
import { withService } from "../test/with-service.ts";

withService("client commands on a full disk", (world) => {
  const { shell } = world;
  before(() => createGroup(world.service, "Full"));

  /** Runs a command in another program, and returns its exit code and messages. */
  const runIn = async (program: readonly string[], args: readonly string[], stdout: "ignore" | number = "ignore") => {
    const [file = "", ...more] = [...program, process.execPath, ...GATEHOUSE, ...args];
    const { url, token } = world.service;
    const env = { PATH: process.env.PATH, GATEHOUSE_URL: url, GATEHOUSE_TOKEN: token };
    const child = spawn(file, more, { cwd: shell.folder, env, stdio: ["ignore", stdout, "pipe"] });
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    const [code] = await once(child, "close");
    return { code, stderr };
  };

  /** Files of the process cannot grow. */
  const NO_SPACE = ["prlimit", "--fsize=1:"];

  it("export writes no incomplete file, names the file, and works once there is space", async () => {
    const folder = join(shell.folder, "config");
    const { code, stderr } = await runIn(NO_SPACE, ["export", folder]);
    assert.equal(code, 1);
    assert.match(stderr, /^gatehouse: Cannot use .*config\/\w+\.yaml: file too large\n$/);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal((await shell.run(["export", folder])).code, 0);
    assert.ok(readdirSync(folder).includes("groups.yaml"));
    assert.ok(readdirSync(folder).every((name) => name.endsWith(".yaml")));
  });

  it("a download leaves the file that it would replace as it was", async () => {
    const skill = { name: "notes", description: "Notes", content: "# Notes\n" };
    assert.equal((await world.service.api("POST", "/api/skills", skill)).status, 201);
    assert.equal((await shell.run(["skills", "download", "notes", "--file", "notes.zip"])).code, 0);
    const saved = readFileSync(join(shell.folder, "notes.zip"));
    const { code, stderr } = await runIn(NO_SPACE, ["skills", "download", "notes", "--file", "notes.zip"]);
    assert.equal(code, 1);
    assert.match(stderr, /^gatehouse: Cannot use .*notes\.zip: file too large\n$/);
    assert.deepEqual(readFileSync(join(shell.folder, "notes.zip")), saved);
    assert.equal((await shell.run(["skills", "download", "notes"])).code, 64);
  });

  it("an export to standard output reports the output, not the service", async () => {
    const full = openSync("/dev/full", "w");
    try {
      const { code, stderr } = await runIn([], ["audit", "export"], full);
      const line = "gatehouse: Cannot write the output: ENOSPC: no space left on device, write\n";
      assert.deepEqual([code, stderr], [1, line]);
    } finally {
      closeSync(full);
    }
  });
});

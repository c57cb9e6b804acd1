import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { SETTING_NAMES } from "#config/setting-list";

const BIN = new URL("../../../dist/bin/gatehouse.mjs", import.meta.url).pathname;

describe("gatehouse init", () => {
  let parent: string;
  before(() => {
    parent = mkdtempSync(join(tmpdir(), "gatehouse init "));
  });
  after(() => rmSync(parent, { recursive: true }));

  const run = (...args: string[]) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env.PATH, LOG_LEVEL: "error" };
      const child = execFile(process.execPath, [BIN, ...args], { cwd: parent, env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  it("creates a settings file and a key file that only their owner can read, and prints the next steps", async () => {
    const { code, stdout, stderr } = await run("init", "new");
    assert.deepEqual([code, stderr], [0, ""]);
    for (const file of ["gatehouse.env", "gatehouse.key"]) {
      assert.ok(stdout.includes(`Created ${join(parent, "new", file)}\n`), stdout);
      assert.equal(statSync(join(parent, "new", file)).mode & 0o777, 0o600);
    }
    assert.match(stdout, /\n {7}gatehouse serve --settings new\/gatehouse\.env\n/);
    const lines = readFileSync(join(parent, "new", "gatehouse.env"), "utf8").split("\n");
    const names = lines.flatMap((line) => /^#?([A-Z_]+)=/.exec(line)?.[1] ?? []);
    assert.ok(names.length > 15 && names.every((name) => SETTING_NAMES.has(name)), names.join());
  });

  it("lets keys generate create the folder of the key file", async () => {
    const { code, stderr } = await run("keys", "generate", "secrets/gatehouse.key");
    assert.equal(code, 0, stderr);
    assert.equal(statSync(join(parent, "secrets")).mode & 0o777, 0o700);
  });

  it("creates files that --settings accepts", async () => {
    const migrated = await run("migrate", "--settings", "new/gatehouse.env");
    assert.deepEqual([migrated.code, migrated.stderr], [0, ""]);
    assert.ok(readdirSync(join(parent, "new", "data")).includes("gatehouse.db"));
    const status = await run("keys", "status", "--settings=new/gatehouse.env");
    assert.match(status.stdout, /^Key file {12}[0-9a-f]{16}\n/);
    writeFileSync(join(parent, "wrong.env"), "DATA_DIR elsewhere\n");
    const wrong = await run("migrate", "--settings", "wrong.env");
    const problem = "gatehouse: --settings: wrong.env, line 1 is not NAME=value\n";
    assert.deepEqual([wrong.code, wrong.stderr], [78, problem]);
    const missing = await run("migrate", "--settings", "nowhere.env");
    assert.deepEqual([missing.code, missing.stderr], [78, "gatehouse: --settings: cannot read nowhere.env\n"]);
  });

  it("names the folder that it cannot create", async () => {
    writeFileSync(join(parent, "file"), "");
    const { code, stderr } = await run("init", "file/new");
    assert.deepEqual([code, stderr], [1, `gatehouse: Cannot use ${join(parent, "file", "new")}: not a directory\n`]);
  });

  it("never overwrites a file", async () => {
    const key = readFileSync(join(parent, "new", "gatehouse.key"), "utf8");
    rmSync(join(parent, "new", "gatehouse.env"));
    const { code, stderr } = await run("init", "new");
    assert.equal(code, 64);
    assert.ok(stderr.startsWith(`gatehouse: ${join(parent, "new", "gatehouse.key")} already exists`), stderr);
    assert.equal(readFileSync(join(parent, "new", "gatehouse.key"), "utf8"), key);
    assert.ok(!readdirSync(join(parent, "new")).includes("gatehouse.env"));
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { GATEHOUSE } from "#test/gatehouse-command";

describe("variables that may be misspelled settings", () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-misspelled-"));
  after(() => rmSync(folder, { recursive: true }));

  const run = (command: string, settings: Record<string, string> = {}) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const needed = { PATH: process.env.PATH, PORT: "1", DATA_DIR: join(folder, "data"), REGISTRY_SYNC: "off" };
      const options = { cwd: folder, env: { ...needed, LOG_LEVEL: "error", ...settings } };
      const child = execFile(process.execPath, [...GATEHOUSE, command], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  const misspelled = { DATABSE_URL: "postgres://u:hunter2@db", TRUSTED_PROXYS: "192.0.2.1", BASEURL: "http://hunter2" };
  const warnings = [
    "DATABSE_URL is not a setting, and is ignored. Did you mean DATABASE_URL?",
    "TRUSTED_PROXYS is not a setting, and is ignored. Did you mean TRUSTED_PROXIES?",
    "BASEURL is not a setting, and is ignored. Did you mean BASE_URL?",
  ];

  it("are warnings of doctor, without their values", async () => {
    const others = { HOME: folder, HOSTNAME: "a", LOGNAME: "ada", BASH_ENV: "/b", HOSTS: "c", LOG: "d", DB_URL: "e" };
    const { stdout } = await run("doctor", { ...misspelled, ...others });
    for (const line of warnings) assert.ok(stdout.includes(`warning  Settings          ${line}\n`), stdout);
    assert.equal(stdout.match(/^warning {2}Settings /gm)?.length, warnings.length);
    assert.doesNotMatch(stdout, /hunter2|192\.0\.2\.1/);
    assert.doesNotMatch((await run("doctor")).stdout, / Settings /);
  });

  it("are logged at start, without their values", async () => {
    const file = join(folder, "missing.json");
    const { code, stdout, stderr } = await run("serve", {
      ...misspelled,
      LOG_LEVEL: "warn",
      LOCAL_SERVERS_FILE: file,
    });
    assert.equal(code, 78, stderr);
    const logged = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).msg);
    assert.deepEqual(logged, warnings);
    assert.doesNotMatch(`${stdout}${stderr}`, /hunter2/);
  });
});

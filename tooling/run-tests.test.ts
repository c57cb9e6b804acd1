import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";

/** Runs one test file under a Postgres of its own, and tells the exit code, the total of failures and what is left behind. */
async function run(testBody: string): Promise<{ code: unknown; failed: string | undefined; left: string[] }> {
  const files = await mkdtemp(join(tmpdir(), "run-"));
  const temporary = await mkdtemp(join(tmpdir(), "tmp-"));
  // Under root, Postgres runs as another user.
  await chmod(temporary, 0o755);
  const file = join(files, "one.test.mjs");
  await writeFile(file, `import { it } from "node:test";\nit("one", () => { ${testBody} });\n`);
  // A test runner that finds NODE_TEST_CONTEXT takes itself for a file of another run, and runs nothing.
  const { TEST_DATABASE_URL: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const runner = new URL("./run-tests.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, [runner, file], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...env, TMPDIR: temporary },
  });
  const [output, [code]] = await Promise.all([child.stdout.toArray(), once(child, "exit")]);
  const failed = /^ℹ fail (\d+)$/m.exec(Buffer.concat(output).toString())?.[1];
  const left = await readdir(temporary);
  await rm(files, { recursive: true });
  await rm(temporary, { recursive: true });
  return { code, failed, left };
}

describe("run-tests", () => {
  it("fails when a test fails, and leaves nothing behind", async () => {
    assert.deepEqual(await run('throw new Error("no");'), { code: 1, failed: "1", left: [] });
  });

  it("fails when a rejection that nobody handles comes, even after its test has passed (OPS-12)", async () => {
    const late = 'setImmediate(() => Promise.reject(new Error("nobody waits for this")));';
    assert.deepEqual(await run(late), { code: 1, failed: "1", left: [] });
  });

  it("succeeds when all tests pass, and leaves nothing behind", async () => {
    assert.deepEqual(await run('if (!process.env.TEST_DATABASE_URL) throw new Error("no Postgres");'), {
      code: 0,
      failed: "0",
      left: [],
    });
  });
});

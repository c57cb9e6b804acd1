import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";

/** Runs one test file with its own Postgres. Returns the exit code, the number of failures and the remaining files. */
async function run(testBody: string): Promise<{ code: unknown; failed: string | undefined; left: string[] }> {
  const { output, ...outcome } = await runWith(testBody);
  return { ...outcome, failed: /^ℹ fail (\d+)$/m.exec(output)?.[1] };
}

async function runWith(testBody: string, more: Readonly<Record<string, string>> = {}) {
  const files = await mkdtemp(join(tmpdir(), "run-"));
  const temporary = await mkdtemp(join(tmpdir(), "tmp-"));
  // Under root, Postgres runs as another user.
  await chmod(temporary, 0o755);
  const file = join(files, "one.test.mjs");
  await writeFile(file, `import { it } from "node:test";\nit("one", () => { ${testBody} });\n`);
  // With NODE_TEST_CONTEXT a test runner acts as a file of another run, and runs nothing.
  const { TEST_DATABASE_URL: _, NODE_TEST_CONTEXT: __, TEST_SUMMARY_FILE: ___, FC_SEED: ____, ...env } = process.env;
  const runner = new URL("./run-tests.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, [runner, file], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...env, TMPDIR: temporary, ...more },
  });
  const [output, [code]] = await Promise.all([child.stdout.toArray(), once(child, "exit")]);
  const left = await readdir(temporary);
  await rm(files, { recursive: true });
  await rm(temporary, { recursive: true });
  return { code, left, output: Buffer.concat(output).toString() };
}

describe("run-tests", () => {
  it("fails if a test fails, and removes its files", async () => {
    assert.deepEqual(await run('throw new Error("no");'), { code: 1, failed: "1", left: [] });
  });

  it("fails on an unhandled rejection, even after its test has passed (OPS-12)", async () => {
    const late = 'setImmediate(() => Promise.reject(new Error("unhandled")));';
    assert.deepEqual(await run(late), { code: 1, failed: "1", left: [] });
  });

  it("fails on an exception in a callback after an await, and prints its stack", async () => {
    const body = `return Promise.resolve().then(() => new Promise((resolve) => {
      setImmediate(function thrower() { setImmediate(resolve); throw new Error("uncaught"); });
    }));`;
    const { code, output } = await runWith(body);
    assert.equal(code, 1);
    assert.match(output, /Error: uncaught\n\s+at .*thrower/);
  });

  it("repeats the random values of a run with the seed that it printed (OPS-13)", async () => {
    const fastCheck = import.meta.resolve("fast-check");
    const body = `return import("${fastCheck}").then(({ default: fc }) => {
      throw new Error("drew " + fc.sample(fc.integer(), 3).join(" "));
    });`;
    const first = await runWith(body);
    const [, FC_SEED = ""] = /^FC_SEED=(\d+) repeats the random tests of this run$/m.exec(first.output) ?? [];
    const drawn = ({ output }: typeof first) => /drew [-\d ]+/.exec(output)?.[0];
    assert.ok(drawn(first), first.output);
    assert.equal(drawn(await runWith(body, { FC_SEED })), drawn(first));
    assert.notEqual(drawn(await runWith(body)), drawn(first));
  });

  it("succeeds if all tests pass, and removes its files", async () => {
    assert.deepEqual(await run('if (!process.env.TEST_DATABASE_URL) throw new Error("no Postgres");'), {
      code: 0,
      failed: "0",
      left: [],
    });
  });
});

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

const PROGRAM = new URL("./check-test-totals.mjs", import.meta.url).pathname;
const GOOD = {
  tests: { tests: 9, passed: 9, failed: 0, skipped: 0, databases: { sqlite: 3, postgres: 2 } },
  conformance: { tests: 46, passed: 46 },
  web: { tests: 40, passed: 40 },
};

async function check(summaries: object): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const directory = await mkdtemp(join(tmpdir(), "totals-"));
  const paths = [];
  for (const [name, summary] of Object.entries({ ...GOOD, ...summaries })) {
    const path = join(directory, name);
    paths.push(path);
    await writeFile(path, JSON.stringify(summary));
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...paths], { encoding: "utf8" });
  await rm(directory, { recursive: true });
  return { status, stdout, stderr };
}

it("prints the totals of runs that executed enough", async () => {
  const { status, stdout } = await check({});
  assert.equal(status, 0);
  assert.match(stdout, /^tests 9, passed 9, .* on sqlite 3, on postgres 2; conformance 46; in the browser 40$/m);
});

for (const [reason, summaries] of [
  ["no test was executed", { tests: { ...GOOD.tests, tests: 0, passed: 0 } }],
  ["not every test passed", { tests: { ...GOOD.tests, passed: 8 } }],
  ["no test was executed on SQLite", { tests: { ...GOOD.tests, databases: { sqlite: 0, postgres: 2 } } }],
  ["no test was executed on Postgres", { tests: { ...GOOD.tests, databases: { sqlite: 3, postgres: 0 } } }],
  ["the conformance suite or a real client was not run", { conformance: { tests: 45, passed: 45 } }],
  ["the admin app was not tested in a browser", { web: { tests: 41, passed: 40 } }],
] as const) {
  it(`fails when ${reason}`, async () => {
    const { status, stderr } = await check(summaries);
    assert.deepEqual([status, stderr], [1, `${reason}\n`]);
  });
}

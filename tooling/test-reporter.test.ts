import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { writeBatches } from "./test-batches.ts";

const REPORTER = new URL("./test-reporter.mjs", import.meta.url).href;

const MIXED = `
  import { after, before, describe, it } from "node:test";
  before(() => console.log("mixed opens"));
  after(() => console.log("mixed closes"));
  for (const name of ["sqlite", "things (postgres)"]) {
    describe(name, () => {
      it("passes", () => {});
      describe("inside", () => it("passes too", (test) => test.diagnostic("FC_SEED=7 repeats this run")));
    });
  }
  describe("of sqlite files", () => it("is on no database", () => {}));
  it("fails", () => { throw new Error("the reason"); });
  it("is skipped", { skip: "for the count" }, () => {});
`;
const PASSING = `
  import { before, it } from "node:test";
  before(() => console.log("passing opens"));
  it("passes", () => {});
`;

describe("the test reporter", () => {
  let directory: string;
  let files: string[];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "reporter-"));
    files = [join(directory, "mixed.test.mjs"), join(directory, "passing.test.mjs")];
    await writeFile(String(files[0]), MIXED);
    await writeFile(String(files[1]), PASSING);
  });
  after(() => rm(directory, { recursive: true }));

  async function report(entries: readonly string[]) {
    const path = join(directory, "summary.json");
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout } = spawnSync(process.execPath, ["--test", `--test-reporter=${REPORTER}`, ...entries], {
      encoding: "utf8",
      env: { ...env, TEST_SUMMARY_FILE: path },
    });
    return { status, output: stdout, summary: JSON.parse(await readFile(path, "utf8")) };
  }

  for (const how of ["in separate processes", "in one process"]) {
    it(`counts tests by result and by database, ${how}`, async () => {
      const entries = how === "in one process" ? writeBatches(directory, files, 1) : files;
      const { status, output, summary } = await report(entries);
      assert.equal(status, 1);
      const { tests, passed, failed, skipped, databases } = summary;
      assert.deepEqual({ tests, passed, failed, skipped }, { tests: 8, passed: 6, failed: 1, skipped: 1 });
      assert.deepEqual(databases, { sqlite: 2, postgres: 2 });
      const lines = output.split("\n");
      for (const line of ["ℹ tests 8", "ℹ pass 6", "ℹ fail 1", "ℹ skipped 1"]) assert.ok(lines.includes(line), line);
    });

    it(`prints each file with its tests and each failure with its reason, ${how}`, async () => {
      const entries = how === "in one process" ? writeBatches(directory, files, 1) : files;
      const { output, summary } = await report(entries);
      const counted = summary.files.map((entry: { file: string; tests: number }) => [entry.file, entry.tests]);
      assert.deepEqual(
        new Map(counted),
        new Map([
          [files[0], 7],
          [files[1], 1],
        ]),
      );
      const [failure, ...others] = summary.failures;
      assert.deepEqual([failure.file, failure.name, others], [files[0], "fails", []]);
      assert.match(output, /✖ .*mixed\.test\.mjs:\d+ {2}fails\n +Error: the reason\n +at /);
      assert.match(output, /FC_SEED=7 repeats this run/);
    });
  }

  it("runs the hooks of a file in a batch around the tests of that file only", async () => {
    const { output } = await report(writeBatches(directory, files, 1));
    const hooks = output.split("\n").filter((line) => /opens|closes/.test(line));
    assert.deepEqual(hooks, ["mixed opens", "mixed closes", "passing opens"]);
  });

  it("reports a file that cannot be loaded as a failure", async () => {
    const broken = join(directory, "broken.test.mjs");
    await writeFile(broken, 'import "./no-such-file.mjs";');
    for (const entries of [[broken], writeBatches(directory, [broken, String(files[1])], 1)]) {
      const { status, summary } = await report(entries);
      assert.equal(status, 1);
      assert.deepEqual([summary.failed, summary.failures.length], [1, 1]);
    }
  });
});

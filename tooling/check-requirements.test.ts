import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("check-requirements.mjs", import.meta.url));
const tree = mkdtempSync(join(tmpdir(), "requirements-"));
before(() => {
  mkdirSync(join(tree, "docs/decisions"), { recursive: true });
  writeFileSync(join(tree, "cites.test.ts"), "/** GW-1 and GW-12. */");
});
after(() => rmSync(tree, { recursive: true }));

function check(...rows: string[]): string {
  const table = ["| ID | Requirement | Tests |", "|---|---|---|", ...rows, ""].join("\n");
  writeFileSync(join(tree, "docs/decisions/0002-requirements.md"), table);
  const { status, stderr } = spawnSync(process.execPath, [script, tree], { encoding: "utf8" });
  assert.equal(status === 0, stderr === "", stderr);
  return stderr;
}

it("accepts requirements whose tests exist and cite them", () => {
  assert.equal(check("| GW-1 | a promise | `cites.test.ts` |"), "");
});

for (const [name, row, expected] of [
  ["without a column for tests", "| GW-1 | a promise |", /GW-1 names no test/],
  ["without a test", "| GW-1 | a promise |  |", /GW-1 names no test/],
  ["with a test that does not exist", "| GW-1 | a promise | `none.test.ts` |", /GW-1: none\.test\.ts does not exist/],
  ["with a test that does not cite it", "| GW-2 | a promise | `cites.test.ts` |", /GW-2: .* does not cite it/],
  ["with a file that is no test", "| GW-1 | a promise | `docs/decisions/0002.md` |", /is not a test file/],
] as const) {
  it(`rejects a requirement ${name}`, () => assert.match(check(row), expected));
}

it("rejects a requirement that is listed twice, and a table without any", () => {
  const row = "| GW-1 | a promise | `cites.test.ts` |";
  assert.match(check(row, row), /GW-1 is listed twice/);
  assert.match(check(), /there are no requirements/);
});

it("is part of npm run check", () => {
  const steps = readFileSync(new URL("check.mjs", import.meta.url), "utf8");
  assert.match(steps, /tooling\/check-requirements\.mjs/);
});

/**
 * Checks the table of requirements in docs/decisions/0002: each requirement names at least one test file, and each file
 * exists and cites the requirement. Prints each problem, and fails if there is one.
 *
 *   node tooling/check-requirements.mjs [root]
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROW = /^\| ([A-Z]+-\d+) \| (.+?) \| (.*) \|$/;
const TEST_FILE = /^[\w./-]+\.(?:test|long)\.ts$/;

const root = process.argv[2] ?? ".";
const folder = join(root, "docs/decisions");
const name = readdirSync(folder).find((file) => file.startsWith("0002"));
const rows = readFileSync(join(folder, name ?? "0002"), "utf8")
  .split("\n")
  .filter((line) => /^\| [A-Z]+-\d+ /.test(line));
const problems = [...rows.flatMap(problemsOf), ...repeated(rows)];
if (rows.length === 0) problems.push("there are no requirements");
for (const problem of problems) console.error(`docs/decisions/${name}: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function problemsOf(line) {
  const [, id, , tests] = ROW.exec(line) ?? [];
  if (id === undefined) return [`${idOf(line)} names no test: ${line}`];
  const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file);
  if (files.length === 0) return [`${id} names no test`];
  return files.flatMap((file) => {
    if (!TEST_FILE.test(file)) return [`${id}: ${file} is not a test file`];
    if (!existsSync(join(root, file))) return [`${id}: ${file} does not exist`];
    const cites = new RegExp(`\\b${id}\\b`).test(readFileSync(join(root, file), "utf8"));
    return cites ? [] : [`${id}: ${file} does not cite it`];
  });
}

function repeated(lines) {
  const ids = lines.map(idOf);
  return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is listed twice`);
}

function idOf(line) {
  return line.split(" ")[1];
}

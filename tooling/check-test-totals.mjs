/**
 * Checks that the runs of the tests executed what they must: node tooling/check-test-totals.mjs <tests> <conformance> <web>
 * Each argument is a summary that tooling/test-reporter.mjs wrote. Prints the totals; fails with the first reason.
 */
import { readFileSync } from "node:fs";

/**
 * Two protocol revisions, each against the upstream and through two gateway URLs; eight combinations of real clients and
 * four upstreams; connecting users in three revisions; and OAuth of people's clients in five ways.
 */
const MIN_CONFORMANCE_TESTS = 46;
const MIN_WEB_TESTS = 40;

const [tests, conformance, web] = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, "utf8")));
const { sqlite, postgres } = tests.databases;

console.log(
  `tests ${tests.tests}, passed ${tests.passed}, failed ${tests.failed}, skipped ${tests.skipped}; ` +
    `on sqlite ${sqlite}, on postgres ${postgres}; conformance ${conformance.passed}; in the browser ${web.passed}`,
);

const RULES = [
  [tests.tests > 0, "no test was executed"],
  [tests.passed === tests.tests, "not every test passed"],
  [sqlite > 0, "no test was executed on SQLite"],
  [postgres > 0, "no test was executed on Postgres"],
  [conformance.passed >= MIN_CONFORMANCE_TESTS, "the conformance suite or a real client was not run"],
  [web.passed >= MIN_WEB_TESTS && web.passed === web.tests, "the admin app was not tested in a browser"],
];
const broken = RULES.find(([holds]) => !holds);
if (broken) {
  console.error(broken[1]);
  process.exitCode = 1;
}

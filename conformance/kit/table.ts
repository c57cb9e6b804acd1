/** The results, with one line per scenario and one column per path to the upstream. */
import { isWrong, scenarioOf } from "./shortfalls.ts";
import type { Findings } from "./suite.ts";

export function renderTable(title: string, columns: ReadonlyMap<string, Findings>): string {
  const scenarios = new Set([...columns.values()].flatMap((findings) => [...findings.keys()].map(scenarioOf)));
  const width = Math.max(title.length, ...[...scenarios].map((scenario) => scenario.length));
  const row = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}  ${cells.map((cell) => cell.padEnd(10)).join("  ")}`.trimEnd();
  const rows = [...scenarios].sort().map((scenario) =>
    row(
      scenario,
      [...columns.values()].map((findings) => scoreOf(findings, scenario)),
    ),
  );
  return `${[row(title, [...columns.keys()]), ...rows].join("\n")}\n`;
}

/** `3` when all three checks pass, `1 of 3` when not; informational checks are not counted. */
function scoreOf(findings: Findings, scenario: string): string {
  const found = [...findings].filter(([check]) => scenarioOf(check) === scenario).map(([, finding]) => finding);
  const passed = found.filter((finding) => finding === "passed").length;
  const judged = passed + found.filter(isWrong).length;
  if (judged === 0) return "-";
  return passed === judged ? String(passed) : `${passed} of ${judged}`;
}

/** Checks that fail through the gateway but not at the upstream, and the expected ones. */
import { readFile } from "node:fs/promises";
import type { Finding, Findings, Revision } from "./suite.ts";

export const ADDRESSES = ["all", "one"] as const;
/** `all`: `/mcp`, with prefixed names. `one`: `/mcp/{slug}`. */
export type Address = (typeof ADDRESSES)[number];

const FILE = new URL("../expected-shortfalls.txt", import.meta.url);
const LINE = /^(?<revision>\S+)\s+(?<address>all|one|both|behind)\s+(?<check>\S+ \S+)\s+# (?<reason>\S.*)$/;

/**
 * Checks that pass at the upstream but not through the gateway, and checks that fail only through the gateway. In a
 * failed scenario, checks that did not run are ignored.
 */
export function findShortfalls(direct: Findings, gateway: Findings): string[] {
  const wrong = [...gateway].filter(([check, finding]) => isWrong(finding) && !isWrong(direct.get(check)));
  const wrongScenarios = new Set(wrong.map(([check]) => scenarioOf(check)));
  const unreached = [...direct].filter(
    ([check, finding]) => finding === "passed" && !gateway.has(check) && !wrongScenarios.has(scenarioOf(check)),
  );
  return [...wrong, ...unreached].map(([check]) => check).sort();
}

export function scenarioOf(check: string): string {
  return check.split(" ")[0] ?? "";
}

export function isWrong(finding: Finding | undefined): boolean {
  return finding === "failed" || finding === "warned" || finding === "skipped";
}

/** The committed list. Every line has a reason. */
export async function readExpected(revision: Revision, address: Address | "behind"): Promise<string[]> {
  const lines = (await readFile(FILE, "utf8")).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.flatMap((line) => {
    const groups = LINE.exec(line)?.groups;
    if (!groups) throw new Error(`expected-shortfalls.txt: invalid line: ${line}`);
    const addresses = groups.address === "both" ? ADDRESSES : [groups.address];
    const meant = groups.revision === revision && addresses.some((each) => each === address);
    return meant ? [groups.check ?? ""] : [];
  });
}

/** Where the gateway falls short of the upstream behind it, and where it is known to. */
import { readFile } from "node:fs/promises";
import type { Finding, Findings, Revision } from "./suite.ts";

export const ADDRESSES = ["all", "one"] as const;
/** `all`: `/mcp`, with prefixed names. `one`: `/mcp/{slug}`. */
export type Address = (typeof ADDRESSES)[number];

const FILE = new URL("../expected-shortfalls.txt", import.meta.url);
const LINE = /^(?<revision>\S+)\s+(?<address>all|one|both)\s+(?<check>\S+ \S+)\s+# (?<reason>\S.*)$/;

/**
 * What passes without the gateway and not through it, and what only goes wrong through it. Of a scenario that went
 * wrong, checks that it therefore never came to are not told.
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

/** The committed list. Every line has a reason; it only ever gets shorter. */
export async function readExpected(revision: Revision, address: Address): Promise<string[]> {
  const lines = (await readFile(FILE, "utf8")).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.flatMap((line) => {
    const groups = LINE.exec(line)?.groups;
    if (!groups) throw new Error(`expected-shortfalls.txt: no such line is understood: ${line}`);
    const meant = groups.revision === revision && [address, "both"].includes(groups.address ?? "");
    return meant ? [groups.check ?? ""] : [];
  });
}

import type { Decision, EffectivePolicy } from "#policy/policy-types";
import { Decider } from "./decide.ts";
import type { FoundServer } from "./discover/servers.ts";
import type { FoundSkill } from "./discover/skills.ts";
import { printable } from "./output.ts";
import type { ScanResult } from "./scan.ts";

export type DecidedItem =
  | { readonly kind: "mcp_server"; readonly found: FoundServer; readonly decision: Decision }
  | { readonly kind: "skill"; readonly found: FoundSkill; readonly decision: Decision };

export function decideAll(
  { report, servers, skills }: ScanResult,
  policy: EffectivePolicy,
  now: number,
): DecidedItem[] {
  const decider = new Decider(policy, report.device.os, now);
  return [
    ...servers.map((found) => ({ kind: "mcp_server" as const, found, decision: decider.decideServer(found.item) })),
    ...skills.map((found) => ({ kind: "skill" as const, found, decision: decider.decideSkill(found.item) })),
  ];
}

/** Lines for the items that are not allowed. */
export function describeViolations(items: readonly DecidedItem[]): string[] {
  return items
    .filter(({ decision }) => decision.action !== "allow")
    .map(({ kind, found, decision }) => {
      const { name, client } = found.item;
      const what = kind === "skill" ? "skill" : "MCP server";
      const message = decision.message ? `: ${decision.message}` : "";
      return printable(`${decision.action.padEnd(5)}  ${what} ${name} (${client}): ${decision.reason}${message}`);
    });
}

/** Quarantines and restores items of a home by their names, without a policy. */
import { Place } from "../src/discover/place.ts";
import { scanServers } from "../src/discover/servers.ts";
import { scanSkills } from "../src/discover/skills.ts";
import { restoreItems } from "../src/enforce/enforce-items.ts";
import { Quarantine } from "../src/enforce/quarantine.ts";
import { quarantineServers } from "../src/enforce/servers.ts";
import { quarantineSkill } from "../src/enforce/skills.ts";
import { StateFolder } from "../src/state.ts";

const NOW = "2026-11-01T00:00:00Z";
const DECISION = {
  action: "block",
  rule_id: "r",
  rule_name: "r",
  reason: "r",
  message: null,
  policy_version: 1,
} as const;

export interface EnforcedHome {
  readonly home: string;
  readonly state: string;
}

export function quarantineNamed({ home, state }: EnforcedHome, names: readonly string[]): void {
  const quarantine = new Quarantine(new StateFolder(state));
  const place = new Place({ platform: "linux", home, username: "a", systemRoot: undefined, maxDepth: 3 });
  const servers = scanServers(place, []).filter(({ item }) => names.includes(item.name));
  quarantineServers(
    quarantine,
    servers.map((found) => ({ found, decision: DECISION })),
    NOW,
  );
  for (const skill of scanSkills(place, [], false)) {
    if (names.includes(skill.item.name)) quarantineSkill(quarantine, state, [skill], DECISION, NOW);
  }
}

/** Everything, if no names are given. Throws the reasons of failures. */
export function restoreNamed({ state }: EnforcedHome, names?: readonly string[]): void {
  const quarantine = new Quarantine(new StateFolder(state));
  const items = quarantine.list().filter(({ item }) => names?.includes(item.name) ?? true);
  const failed = restoreItems(quarantine, items, NOW).filter(({ result }) => result === "failed");
  if (failed.length > 0) throw new Error(failed.map(({ name, reason }) => `${name}: ${reason}`).join(", "));
}

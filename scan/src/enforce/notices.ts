import type { DecidedItem } from "../decisions.ts";
import { printable } from "../output.ts";
import type { StateFolder } from "../state.ts";

const FILE = "notices.json";
const MAX_NOTICES = 500;

export interface Notice {
  readonly key: string;
  readonly at: string;
  readonly action: string;
  readonly kind: string;
  readonly name: string;
  readonly client: string;
  readonly text: string;
}

/** Adds a notice for each item that has none for this rule yet, and returns the new ones. */
export function addNotices(state: StateFolder, items: readonly DecidedItem[], now: string): Notice[] {
  const known = state.readJson<Notice[]>(FILE) ?? [];
  const keys = new Set(known.map(({ key }) => key));
  const added = new Map<string, Notice>();
  for (const { kind, found, decision } of items) {
    if (decision.action === "allow") continue;
    const { name, client } = found.item;
    const identity = "fingerprint" in found.item ? found.item.fingerprint : found.item.digest;
    const key = [kind, identity, client, name, decision.action, decision.rule_id].join(" ");
    if (keys.has(key)) continue;
    const what = kind === "skill" ? "skill" : "MCP server";
    const verb = decision.action === "block" ? "blocks" : "advises against";
    const text = printable(
      `Your organization ${verb} the ${what} ${name} (${client}). ${decision.message ?? ""}`.trim(),
    );
    added.set(key, { key, at: now, action: decision.action, kind, name, client, text });
  }
  if (added.size > 0) state.writeJson(FILE, [...known, ...added.values()].slice(-MAX_NOTICES));
  return [...added.values()];
}

import { printable } from "../output.ts";
import { realPathOf } from "./config-file.ts";
import { type EnforceContext, groupBy, restorable } from "./enforce-items.ts";
import { maskLines } from "./mask.ts";
import { Quarantine } from "./quarantine.ts";
import { type BlockedServer, type FileChange, previewRemoval, unsupported } from "./servers.ts";

/** The changes that enforcement would make, as a diff in which secrets are replaced. */
export function previewItems({ settings, state, policy, items, now }: EnforceContext): string {
  const blocked = items.filter(({ decision }) => decision.action === "block");
  const servers = blocked.flatMap((each): BlockedServer[] => (each.kind === "mcp_server" ? [each] : []));
  const lines = restorable(new Quarantine(state), policy, settings, now).map(
    ({ kind, item }) => `restore ${kind} ${item.name} (${item.client})`,
  );
  for (const { found } of servers) {
    const reason = unsupported(found);
    if (reason !== undefined) lines.push(`report only: ${found.item.name} (${found.item.client}): ${reason}`);
  }
  const editable = servers.filter(({ found }) => unsupported(found) === undefined);
  for (const group of groupBy(editable, ({ found }) => realPathOf(found.origin)).values())
    lines.push(...previewFile(group));
  for (const each of blocked) if (each.kind === "skill") lines.push(`move to quarantine: ${each.found.item.path}`);
  return lines.length === 0 ? "No changes." : lines.map(printable).join("\n");
}

function previewFile(group: readonly BlockedServer[]): string[] {
  try {
    const change = previewRemoval(group);
    if (change === undefined) return [];
    return [`--- ${change.path}`, `+++ ${change.path}`, ...hunks(change, reportedStrings(group))];
  } catch (error) {
    const path = group[0]?.found.item.config_path;
    return [`report only: ${path}: ${(error as Error).message}`];
  }
}

/** Strings of the blocked items, which contain no secrets. */
function reportedStrings(group: readonly BlockedServer[]): ReadonlySet<string> {
  return new Set(
    group.flatMap(({ found: { item } }) => [item.name, item.command ?? "", item.url ?? "", ...(item.args ?? [])]),
  );
}

/** Consecutive lines have one header. */
function hunks({ lines, before, after }: FileChange, reported: ReadonlySet<string>): string[] {
  // A line can be a part of a string or a comment, so the entire files are masked.
  const masked = { "-": maskLines(before, reported), "+": maskLines(after, reported) };
  return lines.flatMap(({ sign, line, index }, at) => {
    const isFirst = line - (lines[at - 1]?.line ?? -1) > 1;
    return [...(isFirst ? [`@@ line ${line} @@`] : []), `${sign}${masked[sign][index] ?? ""}`];
  });
}

/** Quarantines MCP servers of one configuration file. */
import type { Decision } from "#policy/policy-types";
import { parseConfig } from "../discover/parse-config.ts";
import { type FoundServer, hashOf } from "../discover/servers.ts";
import { asOwner } from "../homes.ts";
import { openConfig, realPathOf, replaceConfig, withoutLinks } from "./config-file.ts";
import { CannotEdit, removeEntries, snippetOf, valueAt } from "./edit-config.ts";
import { type ChangedLine, diffLines } from "./line-diff.ts";
import { keyOf, type Quarantine, type QuarantinedServer, removedEntries } from "./quarantine.ts";
import type { Pointer } from "./remove-json.ts";

export interface BlockedServer {
  readonly found: FoundServer;
  readonly decision: Decision;
}

export interface FileChange {
  readonly path: string;
  readonly lines: readonly ChangedLine[];
  /** The content of the file. */
  readonly before: string;
  readonly after: string;
}

/** Why an entry is only reported. */
export function unsupported({ item, origin }: FoundServer): string | undefined {
  if (item.scope === "managed") return "an admin installed the file";
  if (origin.format === "yaml") return "YAML files are not edited";
  if (item.scope === "extension") return "extensions are not edited";
  if (origin.pointer.some((key) => typeof key === "number")) return "entries of lists are not removed";
  return undefined;
}

/** Removes the servers from their file, which must be as it was scanned. All of them, or none. */
export function quarantineServers(quarantine: Quarantine, blocked: readonly BlockedServer[], now: string): void {
  const [first] = blocked;
  if (first === undefined) return;
  const { path, home, format, fileHash } = first.found.origin;
  const { text, hash } = asOwner(home, () => openConfig(home, path));
  if (hash !== fileHash) throw new CannotEdit("the file changed since the scan");
  const root = parseConfig(text, format);
  const output = removeEntries(text, format, pointersOf(blocked.map(({ found }) => found.origin)));
  const real = realPathOf(first.found.origin);
  const items = blocked.map(({ found: { item, origin }, decision }): QuarantinedServer => {
    const { pointer, path } = origin;
    const real_path = withoutLinks(origin);
    const snippet = snippetOf(text, format, pointer);
    // An entry can contain several servers.
    const id = keyOf(...new Set([path, real_path]), JSON.stringify(pointer), item.fingerprint);
    return {
      id,
      kind: "mcp_server",
      home,
      path,
      real_path,
      format,
      pointer,
      value: valueAt(root, pointer),
      snippet,
      item,
      quarantined_at: now,
      reason: decision.reason,
    };
  });
  const known = quarantine.editedFile(real);
  const removed = removedEntries(known, hash);
  // Those that the user added again stay in quarantine, whatever happens.
  const added = items.filter(({ id }) => quarantine.get(id) === undefined);
  // Stored before the file changes: a crash in between loses nothing.
  try {
    for (const item of items) quarantine.add(item);
    quarantine.setEditedFile({
      path: real,
      original: known === undefined || removed === undefined ? text : known.original,
      after_hash: hashOf(Buffer.from(output)),
      entries: [...(removed ?? []), ...items.map(({ id }) => id)],
      before: { hash, entries: removed ?? [] },
    });
    asOwner(home, () => replaceConfig(home, path, output, hash));
  } catch (error) {
    for (const { id } of added) quarantine.remove(id);
    throw error;
  }
}

/** Each once: clients with the same file can have the same entry. */
export function pointersOf(entries: readonly { readonly pointer: Pointer }[]): Pointer[] {
  return [...new Map(entries.map(({ pointer }) => [JSON.stringify(pointer), pointer])).values()];
}

/** How quarantining would change the file. */
export function previewRemoval(blocked: readonly BlockedServer[]): FileChange | undefined {
  const [first] = blocked;
  if (first === undefined) return undefined;
  const { path, home, format } = first.found.origin;
  const { text } = asOwner(home, () => openConfig(home, path));
  const output = removeEntries(text, format, pointersOf(blocked.map(({ found }) => found.origin)));
  return { path: first.found.item.config_path, lines: diffLines(text, output), before: text, after: output };
}

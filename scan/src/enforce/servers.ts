/** Quarantines MCP servers of one configuration file, and restores them. */
import type { Decision } from "#policy/policy-types";
import { parseConfig } from "../discover/parse-config.ts";
import { type FoundServer, hashOf } from "../discover/servers.ts";
import { asOwner } from "../homes.ts";
import { openConfig, realPathOf, removeUnfinished, replaceConfig } from "./config-file.ts";
import { CannotEdit, insertEntry, removeEntries, snippetOf, valueAt } from "./edit-config.ts";
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
    const snippet = snippetOf(text, format, pointer);
    // An entry can contain several servers.
    const id = keyOf(path, JSON.stringify(pointer), item.fingerprint);
    return {
      id,
      kind: "mcp_server",
      home,
      path,
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

/** Puts servers back. The file has its original bytes again if it did not change in between. */
export function restoreServers(quarantine: Quarantine, chosen: readonly QuarantinedServer[]): void {
  const [first] = chosen;
  if (first === undefined) return;
  const entries = new Set(chosen.map(entryOf));
  const items = serversIn(quarantine).filter((each) => entries.has(entryOf(each)));
  const { path, home } = first;
  const { text, hash } = asOwner(home, () => openConfig(home, path));
  const real = realPathOf(first);
  const known = quarantine.editedFile(real);
  const removed = removedEntries(known, hash);
  const isUnchanged = known !== undefined && removed !== undefined;
  const output = isUnchanged
    ? restoreOriginal(quarantine, { ...known, entries: removed }, items)
    : insertAll(text, items);
  const ids = new Set(items.map(({ id }) => id));
  const staying = removed?.filter((id) => !ids.has(id)) ?? [];
  if (isUnchanged) {
    const after_hash = hashOf(Buffer.from(output));
    quarantine.setEditedFile({ ...known, after_hash, entries: staying, before: { hash, entries: removed } });
  }
  asOwner(home, () => (output === text ? removeUnfinished(real) : replaceConfig(home, path, output, hash)));
  if (staying.length === 0) quarantine.forgetEditedFile(real);
  for (const { id } of items) quarantine.remove(id);
}

/** The original without the entries that stay in quarantine. Entries of earlier originals are inserted. */
function restoreOriginal(
  quarantine: Quarantine,
  {
    original,
    entries,
    path,
  }: { readonly original: string; readonly entries: readonly string[]; readonly path: string },
  items: readonly QuarantinedServer[],
): string {
  const restored = new Set(items.map(({ id }) => id));
  const staying = serversIn(quarantine)
    .filter((each) => realPathOf(each) === path)
    .filter(({ id }) => entries.includes(id) && !restored.has(id));
  const [{ format } = { format: "json" as const }] = items;
  const output = removeEntries(original, format, pointersOf(staying));
  return insertAll(
    output,
    items.filter(({ id }) => !entries.includes(id)),
  );
}

function serversIn(quarantine: Quarantine): QuarantinedServer[] {
  return quarantine.list().filter((each): each is QuarantinedServer => each.kind === "mcp_server");
}

/** The same for all servers of one entry, which are removed and restored together. */
export function entryOf(server: QuarantinedServer): string {
  return JSON.stringify([realPathOf(server), server.pointer]);
}

/** Each once: clients with the same file can have the same entry. */
function pointersOf(entries: readonly { readonly pointer: Pointer }[]): Pointer[] {
  return [...new Map(entries.map(({ pointer }) => [JSON.stringify(pointer), pointer])).values()];
}

/** An entry that the user added again is kept. */
function insertAll(text: string, items: readonly QuarantinedServer[]): string {
  return items.reduce((output, { format, pointer, value, snippet }) => {
    if (valueAt(parseConfig(output, format), pointer) !== undefined) return output;
    return insertEntry(output, format, pointer, value, snippet);
  }, text);
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

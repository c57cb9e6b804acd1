/** Puts MCP servers back into one configuration file. */
import { parseConfig } from "../discover/parse-config.ts";
import { hashOf } from "../discover/servers.ts";
import { asOwner } from "../homes.ts";
import { createMissingConfig, openConfig, realPathOf, removeUnfinished, replaceConfig } from "./config-file.ts";
import { insertEntry, removeEntries, valueAt } from "./edit-config.ts";
import { type Quarantine, type QuarantinedServer, removedEntries } from "./quarantine.ts";
import { pointersOf } from "./servers.ts";

/**
 * The file has its original bytes again if it did not change in between. Of several versions of an entry, the newest chosen
 * one is restored, unless the file has another one. `createsFile`: also into a file that was deleted. Returns the chosen
 * servers that therefore stay in quarantine.
 */
export function restoreServers(
  quarantine: Quarantine,
  chosen: readonly QuarantinedServer[],
  createsFile = false,
): readonly QuarantinedServer[] {
  const [first] = chosen;
  if (first === undefined) return [];
  const { home, path } = placeOf(first);
  if (createsFile) asOwner(home, () => createMissingConfig(home, path, first.format === "json" ? "{}\n" : ""));
  const { text, hash } = asOwner(home, () => openConfig(home, path));
  const items = itemsToRestore(quarantine, chosen, parseConfig(text, first.format));
  const ids = new Set(items.map(({ id }) => id));
  if (items.length > 0) restoreInto({ path, home, text, hash }, quarantine, items, ids);
  return chosen.filter(({ id }) => !ids.has(id));
}

interface ConfigToRestore {
  readonly path: string;
  readonly home: string;
  readonly text: string;
  readonly hash: string;
}

function restoreInto(
  { path, home, text, hash }: ConfigToRestore,
  quarantine: Quarantine,
  items: readonly QuarantinedServer[],
  ids: ReadonlySet<string>,
): void {
  const real = realPathOf({ home, path });
  const known = quarantine.editedFile(real);
  const removed = removedEntries(known, hash);
  const isUnchanged = known !== undefined && removed !== undefined;
  const output = isUnchanged
    ? restoreOriginal(quarantine, { ...known, entries: removed }, items)
    : insertAll(text, items);
  const staying = removed?.filter((id) => !ids.has(id)) ?? [];
  // The original does not contain inserted entries, so restoring others from it later would remove these.
  const isOriginal = isUnchanged && items.every(({ id }) => removed.includes(id));
  if (isOriginal) {
    const after_hash = hashOf(Buffer.from(output));
    quarantine.setEditedFile({ ...known, after_hash, entries: staying, before: { hash, entries: removed } });
  }
  asOwner(home, () => (output === text ? removeUnfinished(real) : replaceConfig(home, path, output, hash)));
  if (staying.length === 0 || !isOriginal) quarantine.forgetEditedFile(real);
  for (const { id } of items) quarantine.remove(id);
}

/** All servers of the chosen versions, because they share the entry. */
function itemsToRestore(
  quarantine: Quarantine,
  chosen: readonly QuarantinedServer[],
  root: unknown,
): QuarantinedServer[] {
  const oldestFirst = chosen.toSorted((a, b) => (a.quarantined_at < b.quarantined_at ? -1 : 1));
  const newest = new Map(oldestFirst.map((each) => [entryOf(each), versionOf(each)]));
  return serversIn(quarantine).filter((each) => {
    if (newest.get(entryOf(each)) !== versionOf(each)) return false;
    const present = valueAt(root, each.pointer);
    return present === undefined || jsonOf(present) === jsonOf(each.value);
  });
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
    .filter((each) => realFileOf(each) === path)
    .filter(({ id }) => entries.includes(id) && !restored.has(id));
  const [{ format } = { format: "json" as const }] = items;
  const output = removeEntries(original, format, pointersOf(staying));
  return insertAll(
    output,
    items.filter(({ id }) => !entries.includes(id)),
  );
}

export function serversIn(quarantine: Quarantine): QuarantinedServer[] {
  return quarantine.list().filter((each): each is QuarantinedServer => each.kind === "mcp_server");
}

/** Links of the configuration can name another file since the entry was removed. */
function placeOf({ home, path, real_path }: QuarantinedServer): { readonly home: string; readonly path: string } {
  return { home, path: real_path ?? path };
}

/** Where the server is restored. */
export function realFileOf(server: QuarantinedServer): string {
  return realPathOf(placeOf(server));
}

function entryOf(server: QuarantinedServer): string {
  return JSON.stringify([realFileOf(server), server.pointer]);
}

/** The same for all servers of one entry, which are removed and restored together. Another value is another version. */
export function versionOf(server: QuarantinedServer): string {
  return JSON.stringify([entryOf(server), jsonOf(server.value)]);
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === "bigint" ? String(each) : each));
}

/** An entry that the user added again is kept. */
function insertAll(text: string, items: readonly QuarantinedServer[]): string {
  return items.reduce((output, { format, pointer, value, snippet }) => {
    if (valueAt(parseConfig(output, format), pointer) !== undefined) return output;
    return insertEntry(output, format, pointer, value, snippet);
  }, text);
}

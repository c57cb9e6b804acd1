import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { RegistryEntryRow, RegistryStateRow } from "#storage/server-tables";

/** The result of one read of the registry. */
export interface RegistryReading {
  readonly entries: ReadonlyMap<string, RegistryEntryRow>;
  /** Entries that the registry removed or that have no usable remote. */
  readonly absentIds: ReadonlySet<string>;
  /** True if entries that were not found are gone; false if only the found entries have changed. */
  readonly whole: boolean;
}

interface AppliedReading {
  readonly stored: number;
  readonly removed: number;
}

const STATE_ROW = 1;
const ROWS_PER_INSERT = 200;

export async function registryState(db: MainDb): Promise<RegistryStateRow | undefined> {
  return db.selectFrom("registry_state").selectAll().where("id", "=", STATE_ROW).executeTakeFirst();
}

export async function hasRegistryEntries(db: MainDb): Promise<boolean> {
  return (await db.selectFrom("registry_entries").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Applies the reading completely or not at all. Writes only differences, because most entries are unchanged. */
export async function applyReading(
  db: MainDb,
  reading: RegistryReading,
  state: RegistryStateRow,
): Promise<AppliedReading> {
  return db.transaction().execute(async (tx) => {
    // First, so that a concurrent reading waits here and then sees the stored result.
    await storeState(tx, state);
    const known = await knownEntries(tx, reading);
    const changed = [...reading.entries.values()].filter((entry) => known.get(entry.id) !== contentOf(entry));
    const gone = [...known.keys()].filter((id) =>
      reading.whole ? !reading.entries.has(id) : reading.absentIds.has(id),
    );
    const replaced = [...gone, ...changed.map(({ id }) => id)];
    await tx.deleteFrom("registry_entries").where("id", "in", idList(tx, replaced)).execute();
    for (let start = 0; start < changed.length; start += ROWS_PER_INSERT) {
      await tx
        .insertInto("registry_entries")
        .values(changed.slice(start, start + ROWS_PER_INSERT))
        .execute();
    }
    return { stored: changed.length, removed: gone.length };
  });
}

async function storeState(tx: MainTransaction, state: RegistryStateRow): Promise<void> {
  await tx
    .insertInto("registry_state")
    .values({ id: STATE_ROW, ...state })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(state))
    .execute();
}

/** The stored content of every entry in the reading, by ID. */
async function knownEntries(tx: MainTransaction, reading: RegistryReading): Promise<Map<string, string>> {
  const query = tx.selectFrom("registry_entries").selectAll();
  const ids = [...reading.entries.keys(), ...reading.absentIds];
  const rows = await (reading.whole ? query : query.where("id", "in", idList(tx, ids))).execute();
  return new Map(rows.map((row) => [row.id, contentOf(row)]));
}

/** Search text and sort key are derived from the other fields. */
function contentOf({ search_text: _text, sort_key: _key, ...content }: RegistryEntryRow): string {
  return JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
}

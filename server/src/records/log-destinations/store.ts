import { invalid } from "#lib/errors";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { CursorSource, LogCursorRow, LogDestinationRow, LogSource } from "#storage/log-destination-tables";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";

/** Each has a batch in memory while it is sent. */
export const MOST_LOG_DESTINATIONS = 20;

/** In the order of their names. */
export async function listLogDestinations(
  db: MainDb,
  { search, skip, limit }: { readonly search?: string | undefined; readonly skip: number; readonly limit: number },
): Promise<LogDestinationRow[]> {
  let query = db.selectFrom("log_destinations").selectAll();
  if (search !== undefined) query = query.where(contains("name_key", search));
  return query.orderBy("name_key").orderBy("id").offset(skip).limit(limit).execute();
}

export async function searchLogDestinations(
  db: MainDb,
  terms: SearchTerms,
  limit: number,
): Promise<Pick<LogDestinationRow, "id" | "name" | "enabled">[]> {
  return db
    .selectFrom("log_destinations")
    .select(["id", "name", "enabled"])
    .where(containsAll("name_key", terms))
    .orderBy(matchRank(terms, { names: ["name_key"] }))
    .orderBy("name_key")
    .limit(limit)
    .execute();
}

export async function findLogDestination(db: MainDb, id: string): Promise<LogDestinationRow | undefined> {
  return db.selectFrom("log_destinations").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function lockLogDestination(tx: MainTransaction, id: string): Promise<LogDestinationRow | undefined> {
  return lockRows(tx, tx.selectFrom("log_destinations").selectAll().where("id", "=", id)).executeTakeFirst();
}

export async function insertLogDestination(tx: MainTransaction, row: LogDestinationRow): Promise<void> {
  // Concurrent creations wait for each other, so that none exceeds the limit.
  await lockRows(tx, tx.selectFrom("change_counter").selectAll().where("id", "=", 1)).execute();
  const { n } = await tx
    .selectFrom("log_destinations")
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  if (Number(n) >= MOST_LOG_DESTINATIONS)
    throw invalid("name", `there are ${MOST_LOG_DESTINATIONS} log destinations; delete one first`);
  await tx.insertInto("log_destinations").values(row).execute();
}

type Changes = { readonly [Field in keyof Omit<LogDestinationRow, "id">]?: LogDestinationRow[Field] | undefined };

/** Undefined fields keep their values. */
export async function updateLogDestination(tx: MainTransaction, id: string, changes: Changes): Promise<void> {
  await tx.updateTable("log_destinations").set(changes).where("id", "=", id).execute();
}

/** Its cursors are deleted too. */
export async function deleteLogDestination(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("log_destinations").where("id", "=", id).execute();
}

/** The cursors that these sources need. */
export function cursorSources(sources: readonly LogSource[]): CursorSource[] {
  return sources.flatMap((source): CursorSource[] => (source === "audit" ? ["audit", "checkpoints"] : [source]));
}

export function newCursor(destinationId: string, source: CursorSource, position: number): LogCursorRow {
  return {
    ...{ destination_id: destinationId, source, position, furthest: position, shipped: 0, lost: 0, lost_at: null },
    ...{ rejected: 0, shipped_at: null, due_at: 0, failures: 0, failing_since: null, last_error: null },
    ...{ claimed_by: null, claimed_until: 0 },
  };
}

/** Creates missing cursors at these positions, and deletes those of other sources. */
export async function setCursors(
  tx: MainTransaction,
  destinationId: string,
  positions: ReadonlyMap<CursorSource, number>,
): Promise<void> {
  const wanted = [...positions.keys()];
  const existing = await cursorsOf(tx, [destinationId]);
  const unwanted = existing.filter(({ source }) => !wanted.includes(source)).map(({ source }) => source);
  if (unwanted.length > 0) {
    await tx
      .deleteFrom("log_cursors")
      .where("destination_id", "=", destinationId)
      .where("source", "in", unwanted)
      .execute();
  }
  const missing = wanted.filter((source) => existing.every((cursor) => cursor.source !== source));
  for (const source of missing) {
    await tx
      .insertInto("log_cursors")
      .values(newCursor(destinationId, source, positions.get(source) ?? 0))
      .execute();
  }
}

export async function cursorsOf(db: MainDb, destinationIds: readonly string[]): Promise<LogCursorRow[]> {
  if (destinationIds.length === 0) return [];
  return db
    .selectFrom("log_cursors")
    .selectAll()
    .where("destination_id", "in", [...destinationIds])
    .orderBy("destination_id")
    .orderBy("source", "desc")
    .execute();
}

import { type Kysely, sql } from "kysely";
import type { Databases } from "../database.ts";
import { hasUnfinishedRestore, markUnfinished, removeMarker } from "../unfinished-restore.ts";
import { readTables } from "./schema.ts";

/** Any fixed number. It identifies the lock that a restore holds in its Postgres database. */
const POSTGRES_LOCK = 4_721_083_356;

/** The target of a restore has data, or another restore fills it. Printed as one line. */
export class TargetNotEmpty extends Error {
  override readonly name = "TargetNotEmpty";
}

/** Another restore must not delete the data of one that is running. SQLite has the lock of the folder for this. */
export function asOnlyRestore<Result>(databases: Databases, work: () => Promise<Result>): Promise<Result> {
  if (databases.dialect === "sqlite") return work();
  return databases.withoutTimeout(() =>
    databases.main.transaction().execute(async (tx) => {
      const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${POSTGRES_LOCK}) as held`.execute(
        tx,
      );
      if (!rows[0]?.held) throw new TargetNotEmpty("Another restore into this database is running.");
      return work();
    }),
  );
}

/** Accepts an empty target, and one that an interrupted restore left, which it empties. */
export async function claimTarget(databases: Databases, where: string, report: (line: string) => void): Promise<void> {
  if (await hasUnfinishedRestore(databases.main)) {
    report("Deleting the incomplete data of a restore that was interrupted");
    await clearTarget(databases);
  }
  for (const db of sourcesOf(databases)) {
    if ((await readTables(db)).length > 0) {
      throw new TargetNotEmpty(`${where} is not empty. Restore into a new folder or a new database.`);
    }
  }
  await markUnfinished(databases.main);
}

/** Everything in a claimed target came from the restore. The marker is dropped last. */
export async function clearTarget(databases: Databases): Promise<void> {
  for (const db of sourcesOf(databases).toReversed()) {
    const names = (await readTables(db)).map(({ name }) => name).reverse();
    for (const name of [...names, "schema_migrations"]) await sql`drop table if exists ${sql.table(name)}`.execute(db);
  }
  await removeMarker(databases.main);
}

export async function completeTarget({ dialect, main, calls }: Databases): Promise<void> {
  // Commits to this file do not wait for the disk. After a power loss, the call log would be missing without a marker.
  if (dialect === "sqlite") await sql`pragma wal_checkpoint(truncate)`.execute(calls);
  await removeMarker(main);
}

/** Typed without tables, because a backup names its tables itself. The main database is the first. */
export function sourcesOf({ dialect, main, calls }: Databases): Kysely<unknown>[] {
  const sources = [main, ...(dialect === "sqlite" ? [calls] : [])];
  return sources.map((db) => db as unknown as Kysely<unknown>);
}

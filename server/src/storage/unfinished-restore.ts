import { type Kysely, sql } from "kysely";
import { hasTable } from "./has-table.ts";

/**
 * A restore creates this empty table before any other and drops it last, so that a database with a part of the data is
 * recognized even if the process was killed (decision 0213).
 */
export const RESTORE_MARKER = "unfinished_restore";

/** Printed as one line. */
export class UnfinishedRestore extends Error {
  override readonly name = "UnfinishedRestore";

  constructor() {
    super(
      'A restore into this database did not finish, so data is missing. Run "gatehouse restore <file>" again: it deletes the incomplete data first. If a restore is still running, wait until it is complete.',
    );
  }
}

export function hasUnfinishedRestore<Tables>(main: Kysely<Tables>): Promise<boolean> {
  return hasTable(main, RESTORE_MARKER);
}

export async function assertNoUnfinishedRestore<Tables>(main: Kysely<Tables>): Promise<void> {
  if (await hasUnfinishedRestore(main)) throw new UnfinishedRestore();
}

export async function markUnfinished<Tables>(main: Kysely<Tables>): Promise<void> {
  await sql`create table ${sql.table(RESTORE_MARKER)} (started_at bigint)`.execute(main);
}

export async function removeMarker<Tables>(main: Kysely<Tables>): Promise<void> {
  await sql`drop table if exists ${sql.table(RESTORE_MARKER)}`.execute(main);
}

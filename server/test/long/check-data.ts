/** Checks the files and the database that a stopped service left. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { createLogger } from "#lib/logger";
import type { Databases, MainDb } from "#storage/database";
import { openDatabases } from "#storage/open-databases";
import { KINDS } from "./admin-writer.ts";

/** No partial write (OPS-2): every record has its audit row and its key. No spool is left. */
export async function checkData(dataDir: string, databaseUrl: string | undefined): Promise<void> {
  assert.deepEqual(await readdir(join(dataDir, "spool")), []);
  const databases = await openDatabases({ dataDir, databaseUrl, logger: createLogger("silent") });
  try {
    await checkIntegrity(databases);
    await checkTrails(databases.main);
    await checkRevisions(databases.main);
  } finally {
    await databases.close();
  }
}

async function checkIntegrity({ dialect, main, calls }: Databases): Promise<void> {
  if (dialect !== "sqlite") return;
  for (const result of [
    await sql`PRAGMA integrity_check`.execute(main),
    await sql`PRAGMA integrity_check`.execute(calls),
  ]) {
    assert.deepEqual(result.rows, [{ integrity_check: "ok" }]);
  }
}

async function checkTrails(db: MainDb): Promise<void> {
  for (const { table, operation } of KINDS) {
    const rows = await db.selectFrom(table).select("id").orderBy("id").execute();
    const audits = await db
      .selectFrom("audit")
      .select("target_id")
      .where("operation", "=", operation)
      .orderBy("target_id")
      .execute();
    const targets = audits.map((audit) => audit.target_id);
    assert.deepEqual(
      targets,
      rows.map((row) => row.id),
      operation,
    );
  }
  const users = await db.selectFrom("users").select("id").orderBy("id").execute();
  const keys = await db.selectFrom("credentials").select("user_id as id").orderBy("user_id").execute();
  assert.deepEqual(keys, users, "each machine user has its key");
}

/** The counter matches the last change, so that gateways of other processes miss nothing. */
async function checkRevisions(db: MainDb): Promise<void> {
  const counter = await db.selectFrom("change_counter").select("revision").executeTakeFirstOrThrow();
  const last = await db
    .selectFrom("changes")
    .select((expression) => expression.fn.max("revision").as("revision"))
    .executeTakeFirstOrThrow();
  assert.equal(counter.revision, last.revision);
}

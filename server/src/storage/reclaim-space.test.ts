import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { createLogger } from "#lib/logger";
import { openTestSqlite } from "#test/databases";
import { openDatabases } from "./open-databases.ts";

const logger = createLogger("silent");
const ROWS = 30_000;
const KEPT = 5_000;

describe("the space of deleted rows in SQLite files", () => {
  const fill = (db: Awaited<ReturnType<typeof openTestSqlite>>["databases"]) =>
    sql`insert into log_names (id, value)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      select i, printf('%0400d', i) from n`.execute(db.calls);
  const sizeOf = async (dataDir: string) => {
    const other = await openDatabases({ dataDir, databaseUrl: undefined, logger });
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(other.calls);
    await other.close();
    return (await stat(join(dataDir, "calls.db"))).size;
  };

  it("returns to the file system in slices while the database is used", async () => {
    const { databases, dataDir, close } = await openTestSqlite();
    await fill(databases);
    const full = await sizeOf(dataDir);
    assert.equal(await databases.reclaimSpace(), false);
    await databases.calls.deleteFrom("log_names").where("id", ">", KEPT).execute();
    let slices = 0;
    while (await databases.reclaimSpace()) slices++;
    assert.ok(slices > 1, `${slices} slices`);
    const shrunk = await sizeOf(dataDir);
    assert.ok(shrunk < full * 0.5, `${shrunk} of ${full} bytes`);
    assert.equal((await databases.calls.selectFrom("log_names").select("id").execute()).length, KEPT);
    await close();
  });

  it("returns from a file of an earlier release once it is worth rewriting the file, and then in slices", async () => {
    const { databases, dataDir, close } = await openTestSqlite();
    await sql`PRAGMA auto_vacuum = NONE`.execute(databases.calls);
    await sql`VACUUM`.execute(databases.calls);
    await fill(databases);
    const mode = async () => (await sql<{ auto_vacuum: number }>`PRAGMA auto_vacuum`.execute(databases.calls)).rows[0];
    await databases.reclaimSpace();
    assert.deepEqual({ ...(await mode()) }, { auto_vacuum: 0 });
    await databases.calls.deleteFrom("log_names").where("id", ">", KEPT).execute();
    const full = await sizeOf(dataDir);
    assert.equal(await databases.reclaimSpace(), false);
    assert.deepEqual({ ...(await mode()) }, { auto_vacuum: 2 });
    const shrunk = await sizeOf(dataDir);
    assert.ok(shrunk < full * 0.5, `${shrunk} of ${full} bytes`);
    await close();
  });

  it("returns completely when the files are compacted, also during a transaction of the service", async () => {
    const { databases, close } = await openTestSqlite();
    await fill(databases);
    await databases.calls.deleteFrom("log_names").where("id", ">", 10).execute();
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const transaction = databases.calls.transaction().execute(async (tx) => {
      await tx.deleteFrom("log_names").where("id", "=", 1).execute();
      enter();
      await ended;
    });
    await entered;
    const compacted = databases.compact?.();
    end();
    await transaction;
    for (const { path, bytesBefore, bytesAfter } of (await compacted) ?? []) {
      if (path.endsWith("calls.db")) assert.ok(bytesAfter < bytesBefore / 10, `${bytesAfter} of ${bytesBefore} bytes`);
    }
    await close();
  });
});

describe("a long report on SQLite", () => {
  it("delays neither reads nor writes of the call log", async () => {
    const { databases, close } = await openTestSqlite();
    let isDone = false;
    const report = sql`select count(*) from
      (with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000000) select i from n)`
      .execute(databases.callReports)
      .then(() => {
        isDone = true;
      });
    await databases.calls.insertInto("log_names").values({ id: 1, value: "a" }).execute();
    await databases.calls.selectFrom("log_names").selectAll().execute();
    await sql`select 1`.execute(databases.calls);
    assert.equal(isDone, false);
    await report;
    assert.deepEqual(await databases.callReports.selectFrom("log_names").select("value").execute(), [{ value: "a" }]);
    await close();
  });

  it("cannot hold up reads that are written as SQL text behind an open transaction", async () => {
    const { databases, close } = await openTestSqlite();
    await databases.calls.transaction().execute(async () => {
      assert.equal((await sql`select 1 as one`.execute(databases.calls)).rows.length, 1);
    });
    await close();
  });
});

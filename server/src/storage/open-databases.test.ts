import assert from "node:assert/strict";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { forEachDatabase, makeDataDir, openTestPostgres, openTestSqlite, PATIENT_TIMEOUTS } from "#test/databases";
import { isDatabaseAway } from "./constraints.ts";
import type { Databases } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openDatabases } from "./open-databases.ts";
import { POSTGRES_TIMEOUTS } from "./postgres-dialect.ts";
import { SqliteThread, UnreadableDatabase } from "./sqlite-thread.ts";
import { hostFile } from "./sqlite-worker.ts";

const logger = createLogger("silent");
const SETTING = { name: "a", value: {}, updated_at: 0 };

forEachDatabase("databases", (open) => {
  it("reads one instant of both databases while another process writes", async () => {
    const { databases, dataDir, databaseUrl } = await open();
    await sql`create table first (n integer)`.execute(databases.main);
    await sql`create table second (n integer)`.execute(databases.calls);
    const reader = await openDatabases({ dataDir, databaseUrl, logger });
    let isOver = false;
    const write = async () => {
      for (let n = 1; !isOver; n++) {
        await sql`insert into first values (${n})`.execute(databases.main);
        await sql`insert into second values (${n})`.execute(databases.calls);
      }
    };
    const writing = write();
    const seen: { first: number; second: number }[] = [];
    for (let snapshot = 0; snapshot < 100; snapshot++) {
      await reader.readSnapshot(async (sources) => {
        const count = async (table: string, db = sources[0]) => {
          assert.ok(db);
          const { rows } = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(table)}`.execute(db);
          return Number(rows[0]?.n);
        };
        seen.push({ first: await count("first"), second: await count("second", sources.at(-1)) });
      });
    }
    isOver = true;
    await writing;
    await reader.close();
    assert.deepEqual(
      seen.filter(({ first, second }) => first !== second && first !== second + 1),
      [],
    );
  });

  it("writes in two threads, one transaction at a time", async () => {
    const { databases } = await open();
    await sql`create table counts (n integer)`.execute(databases.main);
    await sql`insert into counts values (0)`.execute(databases.main);
    const count = (db: Databases["main"]) =>
      db.transaction().execute(async (tx) => {
        const lock = databases.dialect === "postgres" ? sql`for update` : sql``;
        const { rows } = await sql<{ n: number }>`select n from counts ${lock}`.execute(tx);
        await sql`update counts set n = ${(rows[0]?.n ?? 0) + 1}`.execute(tx);
      });
    const { main } = databases;
    const hosted = databases.mainIn({ openFile: (file) => void hostFile(file) });
    await Promise.all(Array.from({ length: 20 }, (_, n) => count(n % 2 === 0 ? main : hosted)));
    const { rows } = await sql`select n from counts`.execute(databases.main);
    assert.deepEqual(rows, [{ n: 20 }]);
  });

  it("reports mayHaveChanged after a commit of another process", async () => {
    const { databases, dataDir, databaseUrl } = await open();
    await databases.mayHaveChanged();
    const other = await openDatabases({ dataDir, databaseUrl, logger });
    await other.main.insertInto("settings").values(SETTING).execute();
    await other.close();
    assert.equal(await databases.mayHaveChanged(), true);
  });

  it("closes main and calls together, and can be closed twice", async () => {
    const { databases } = await open();
    const hosted = databases.mainIn({ openFile: (file) => void hostFile(file) });
    await hosted.selectFrom("settings").selectAll().execute();
    await databases.close();
    await databases.close();
    await assert.rejects(databases.main.selectFrom("settings").selectAll().execute());
    await assert.rejects(hosted.selectFrom("settings").selectAll().execute());
    await assert.rejects(databases.calls.selectFrom("calls").selectAll().execute());
  });
});

describe("Postgres", () => {
  it("counts as available while a query is slow", async () => {
    const { databases, close } = await openTestPostgres();
    const slow = sql`select pg_sleep(3)`.execute(databases.main);
    for (let isDone = false; !isDone; ) {
      isDone = await Promise.race([
        slow.then(() => true),
        databases.main
          .selectFrom("settings")
          .selectAll()
          .execute()
          .then(() => false),
      ]);
    }
    await close();
  });
});

describe("SQLite files", () => {
  it("keep acknowledged records after a power loss, and acknowledged calls after a crash of the process", async () => {
    const dataDir = await makeDataDir();
    // Not openTestSqlite, which does not wait for the disk (decision 0201).
    const databases = await openDatabases({ dataDir, databaseUrl: undefined, logger });
    const pragma = sql<{ synchronous: number }>`PRAGMA synchronous`;
    const main = await databases.main.transaction().execute((tx) => pragma.execute(tx));
    const calls = await databases.calls.transaction().execute((tx) => pragma.execute(tx));
    const [FULL, NORMAL] = [2, 1];
    assert.deepEqual([main.rows[0]?.synchronous, calls.rows[0]?.synchronous], [FULL, NORMAL]);
    await databases.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("leave the write-ahead log to the process that writes", async () => {
    const { databases, dataDir, close } = await openTestSqlite();
    await databases.main.insertInto("settings").values(SETTING).execute();
    const logSize = async () => (await stat(join(dataDir, "gatehouse.db-wal"))).size;
    const written = await logSize();
    const reader = await openDatabases({ dataDir, databaseUrl: undefined, logger });
    await reader.readSnapshot(async () => {});
    await reader.close();
    assert.ok(written > 0);
    assert.equal(await logSize(), written);
    await databases.close();
    assert.equal(await logSize(), 0);
    await close();
  });

  it("can be served by one process only, and by the next one when that has ended, however it ended", async () => {
    const { dataDir, close } = await openTestSqlite();
    const location = { dataDir, databaseUrl: undefined, logger };
    const first = await openDatabases({ ...location, isService: true });
    await assert.rejects(openDatabases({ ...location, isService: true }), {
      name: "DataDirInUse",
      message: `DATA_DIR (${dataDir}) is in use by another Gatehouse process. Stop it first, or use Postgres for several processes.`,
    });
    const command = await openDatabases(location);
    await command.close();
    await first.close();
    const next = await openDatabases({ ...location, isService: true });
    await next.close();
    await close();
  });

  it("are opened and migrated again without a write, so that a start works on a full disk", async () => {
    const { databases, dataDir, close } = await openTestSqlite();
    const location = { dataDir, databaseUrl: undefined, logger };
    await databases.close();
    await (await openDatabases({ ...location, isService: true })).close();
    const states = async () => {
      const names = (await readdir(dataDir)).filter((name) => !name.endsWith("-shm")).sort();
      return Promise.all(names.map(async (name) => [name, (await stat(join(dataDir, name))).mtimeMs]));
    };
    const before = await states();
    const again = await openDatabases({ ...location, isService: true });
    assert.deepEqual(await migrate(again, systemClock), []);
    assert.deepEqual(await states(), before);
    await again.close();
    await close();
  });

  it("report why a thread with other work cannot open one", async () => {
    const dataDir = await makeDataDir();
    const opening = SqliteThread.openIn(
      { openFile: (file) => void hostFile(file) },
      join(dataDir, "no", "file"),
      "power-loss",
    );
    await assert.rejects(opening, (error) => {
      assert.ok(error instanceof UnreadableDatabase);
      assert.match(error.message, /unable to open database file/);
      return true;
    });
    await rm(dataDir, { recursive: true });
  });

  it("are created with their directory, accessible only to their owner", async () => {
    const parent = await makeDataDir();
    const dataDir = join(parent, "deep", "data");
    const databases = await openDatabases({ dataDir, databaseUrl: undefined, logger });
    await migrate(databases, systemClock);
    const modes = await Promise.all(
      ["", "gatehouse.db", "gatehouse.db-wal", "calls.db"].map(
        async (name) => (await stat(join(dataDir, name))).mode & 0o777,
      ),
    );
    await databases.close();
    await rm(parent, { recursive: true });
    assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600]);
  });

  it("report mayHaveChanged initially, and not again without a commit", async () => {
    const { databases, close } = await openTestSqlite();
    const answers = [await databases.mayHaveChanged(), await databases.mayHaveChanged()];
    await databases.main.selectFrom("settings").selectAll().execute();
    answers.push(await databases.mayHaveChanged());
    await close();
    assert.deepEqual(answers, [true, false, false]);
  });
});

describe("Postgres", () => {
  it("fails only the transaction whose connection was lost", async () => {
    const { databases, close } = await openTestPostgres();
    const lost = databases.main.transaction().execute(async (transaction) => {
      await transaction.insertInto("settings").values(SETTING).execute();
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction);
      await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(databases.main);
      await transaction.selectFrom("settings").selectAll().execute();
    });
    const error = await lost.catch((cause: unknown) => cause);
    assert.equal(isDatabaseAway(error), true, String(error));
    assert.deepEqual(await databases.main.selectFrom("settings").selectAll().execute(), []);
    await close();
  });

  it("ends a transaction whose process sends nothing, so that others get its locks", async () => {
    const { databases: others, dataDir, databaseUrl, close } = await openTestPostgres();
    await others.main.insertInto("settings").values(SETTING).execute();
    const postgresTimeouts = { ...PATIENT_TIMEOUTS, idleTransactionMs: 300 };
    const frozen = await openDatabases({ dataDir, databaseUrl, logger, postgresTimeouts });
    const locked = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<void>();
    const write = frozen.main.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("settings").execute();
      locked.resolve();
      await resumed.promise;
      await transaction.selectFrom("settings").selectAll().execute();
    });
    const failed = write.catch((cause: unknown) => cause);
    await locked.promise;
    await others.main.updateTable("settings").set({ value: SETTING.value }).execute();
    resumed.resolve();
    const error = await failed;
    assert.equal(isDatabaseAway(error), true, String(error));
    assert.equal((await frozen.main.selectFrom("settings").selectAll().execute()).length, 1);
    await frozen.close();
    await close();
  });

  it("cancels a statement that waits for a lock, except without timeouts", async () => {
    const { databases: holder, dataDir, databaseUrl, close } = await openTestPostgres();
    await holder.main.insertInto("settings").values(SETTING).execute();
    const postgresTimeouts = { ...PATIENT_TIMEOUTS, statementMs: 100 };
    const databases = await openDatabases({ dataDir, databaseUrl, logger, postgresTimeouts });
    const update = () => databases.main.updateTable("settings").set({ updated_at: 1 }).execute();
    const patient = await holder.main.transaction().execute(async (transaction) => {
      await transaction.updateTable("settings").set({ updated_at: 2 }).execute();
      await assert.rejects(update(), /statement timeout/);
      const updated = databases.withoutTimeout(update);
      await sleep(300);
      return { updated };
    });
    await patient.updated;
    assert.equal((await update()).length, 1);
    await databases.close();
    await close();
  });

  it("limits a transaction also in a session without limits, as PgBouncer can give it", async () => {
    const { dataDir, databaseUrl, close } = await openTestPostgres();
    const postgresTimeouts = { ...PATIENT_TIMEOUTS, statementMs: 100 };
    const databases = await openDatabases({ dataDir, databaseUrl, logger, postgresTimeouts });
    const inSessionWith = (statementMs: number) =>
      databases.main.connection().execute(async (connection) => {
        await sql`set statement_timeout = ${sql.lit(statementMs)}`.execute(connection);
        await connection.transaction().execute((transaction) => sql`select pg_sleep(0.3)`.execute(transaction));
      });
    await assert.rejects(inSessionWith(0), /statement timeout/);
    await databases.withoutTimeout(() => inSessionWith(100));
    await databases.close();
    await close();
  });

  it("lets a snapshot for a backup wait", async () => {
    const { dataDir, databaseUrl, close } = await openTestPostgres();
    const postgresTimeouts = { ...PATIENT_TIMEOUTS, idleTransactionMs: 100 };
    const databases = await openDatabases({ dataDir, databaseUrl, logger, postgresTimeouts });
    await databases.readSnapshot(async ([snapshot]) => {
      await sleep(300);
      await sql`select 1`.execute(snapshot as NonNullable<typeof snapshot>); // there is one
    });
    await databases.close();
    await close();
  });

  it("survives the loss of idle connections", async () => {
    const { databases, close } = await openTestPostgres();
    await Promise.all([1, 2, 3].map(() => sql`SELECT pg_sleep(0.01)`.execute(databases.main)));
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(databases.main);
    assert.deepEqual(await databases.main.selectFrom("settings").selectAll().execute(), []);
    await close();
  });

  it("reports a query without a timely response as an unavailable database, and serves the next one", async () => {
    const { dataDir, databaseUrl, close } = await openTestPostgres();
    const postgresTimeouts = { ...POSTGRES_TIMEOUTS, responseMs: 2_000 };
    const databases = await openDatabases({ dataDir, databaseUrl, logger, postgresTimeouts });
    await databases.withoutTimeout(() => sql`SELECT pg_sleep(2.5)`.execute(databases.main));
    const error = await sql`SELECT pg_sleep(600)`.execute(databases.main).catch((cause: unknown) => cause);
    assert.equal(isDatabaseAway(error), true, String(error));
    // A busy machine may need longer than this timeout for a new connection.
    const next = await databases.withoutTimeout(() => databases.main.selectFrom("settings").selectAll().execute());
    assert.deepEqual(next, []);
    await databases.close();
    await close();
  });
});

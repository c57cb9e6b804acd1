import assert from "node:assert/strict";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { forEachDatabase, makeDataDir, openTestPostgres, openTestSqlite } from "#test/databases";
import { isDatabaseAway } from "./constraints.ts";
import { migrate } from "./migrate.ts";
import { openDatabases } from "./open-databases.ts";

const logger = createLogger("silent");
const SETTING = { name: "a", value: {}, updated_at: 0 };

forEachDatabase("databases", (open) => {
  it("mayHaveChanged is true after a commit of another process", async () => {
    const { databases, dataDir, databaseUrl } = await open();
    await databases.mayHaveChanged();
    const other = await openDatabases({ dataDir, databaseUrl, logger });
    await other.main.insertInto("settings").values(SETTING).execute();
    await other.close();
    assert.equal(await databases.mayHaveChanged(), true);
  });

  it("main and calls are closed together, and twice does no harm", async () => {
    const { databases } = await open();
    await databases.close();
    await databases.close();
    await assert.rejects(databases.main.selectFrom("settings").selectAll().execute());
    await assert.rejects(databases.calls.selectFrom("calls").selectAll().execute());
  });
});

describe("SQLite files", () => {
  it("are made for their owner alone, with the directory around them", async () => {
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

  it("mayHaveChanged is true at first, and false while nobody commits", async () => {
    const { databases, close } = await openTestSqlite();
    const answers = [await databases.mayHaveChanged(), await databases.mayHaveChanged()];
    await databases.main.selectFrom("settings").selectAll().execute();
    answers.push(await databases.mayHaveChanged());
    await close();
    assert.deepEqual(answers, [true, false, false]);
  });
});

describe("Postgres", () => {
  it("a connection lost in the middle of a transaction fails that transaction alone", async () => {
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

  it("idle connections that are lost crash nothing", async () => {
    const { databases, close } = await openTestPostgres();
    await Promise.all([1, 2, 3].map(() => sql`SELECT pg_sleep(0.01)`.execute(databases.main)));
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(databases.main);
    assert.deepEqual(await databases.main.selectFrom("settings").selectAll().execute(), []);
    await close();
  });

  it("a query that is not answered in time fails as a database that is away, and the pool's next one is served", async () => {
    const { dataDir, databaseUrl, close } = await openTestPostgres();
    const databases = await openDatabases({ dataDir, databaseUrl, logger, postgresSilenceMs: 2_000 });
    await databases.unhurried(() => sql`SELECT pg_sleep(2.5)`.execute(databases.main));
    const error = await sql`SELECT pg_sleep(600)`.execute(databases.main).catch((cause: unknown) => cause);
    assert.equal(isDatabaseAway(error), true, String(error));
    assert.deepEqual(await databases.main.selectFrom("settings").selectAll().execute(), []);
    await databases.close();
    await close();
  });
});

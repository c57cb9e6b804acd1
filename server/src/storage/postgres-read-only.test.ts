import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { createLogger } from "#lib/logger";
import { openTestPostgres, PATIENT_TIMEOUTS } from "#test/databases";
import { isDatabaseAway } from "./constraints.ts";
import type { Databases } from "./database.ts";
import { openDatabases } from "./open-databases.ts";

const logger = createLogger("silent");
const CONNECTIONS = 3;

// As after a failover, when connections reach the old primary, which is a standby now.
describe("a Postgres that accepts no writes", () => {
  it("loses all connections to it after the first rejected write, so that new ones reach the primary", async () => {
    const { databases, close } = await openTestPostgres();
    const all = Promise.withResolvers<void>();
    let connected = 0;
    const becomeStandby = () =>
      databases.main.connection().execute(async (connection) => {
        await sql`set session characteristics as transaction read only`.execute(connection);
        if (++connected === CONNECTIONS) all.resolve();
        await all.promise;
      });
    await Promise.all(Array.from({ length: CONNECTIONS }, becomeStandby));
    const error = await write(databases, "rejected").catch((cause: unknown) => cause);
    assert.equal(isDatabaseAway(error), true, String(error));
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => write(databases, `key ${n}`)));
    const { rows } = await sql<{ n: number }>`select count(*) as n from settings`.execute(databases.main);
    assert.deepEqual(rows, [{ n: CONNECTIONS }]);
    await close();
  });

  it("is unavailable also for reads, and says why, until it accepts writes", async () => {
    const { databases: owner, dataDir, databaseUrl, close } = await openTestPostgres();
    const name = new URL(databaseUrl ?? "").pathname.slice(1);
    const setReadOnly = (value: "on" | "off") =>
      sql`alter database ${sql.id(name)} set default_transaction_read_only = ${sql.raw(value)}`.execute(owner.main);
    await setReadOnly("on");
    const databases = await openDatabases({ dataDir, databaseUrl, logger, postgresTimeouts: PATIENT_TIMEOUTS });
    const read = () => databases.main.selectFrom("settings").selectAll().execute();
    const error = await read().catch((cause: unknown) => cause);
    assert.ok(isDatabaseAway(error) && error instanceof Error);
    assert.equal(error.message, "Postgres accepts no writes: it is a standby, or it is set to read-only");
    await setReadOnly("off");
    for (let isAvailable = false; !isAvailable; ) {
      await sleep(20);
      isAvailable = await write(databases, "a").then(
        () => true,
        (cause: unknown) => {
          if (!isDatabaseAway(cause)) throw cause;
          return false;
        },
      );
    }
    assert.equal((await read()).length, 1);
    await databases.close();
    await close();
  });
});

async function write(databases: Databases, name: string): Promise<void> {
  await databases.main.insertInto("settings").values({ name, value: {}, updated_at: 0 }).execute();
}

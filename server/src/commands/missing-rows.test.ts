import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { before, beforeEach, it } from "node:test";
import { sql } from "kysely";
import { readConfig } from "#config/config";
import { systemClock } from "#lib/clock";
import { MigrationConflict, migrate } from "#storage/migrate";
import { MissingRows, readMissingRows } from "#storage/required-rows";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { GATEHOUSE } from "#test/gatehouse-command";
import { startService } from "#test/start-service";
import { examine } from "./doctor/doctor.ts";
import { collect } from "./doctor/finding.ts";

const ADVICE = "Restore a backup into an empty database.";
/** Nothing listens there. */
const PORT = "1";

forEachDatabase("a database from which rows were deleted", (open) => {
  let database: TestDatabase;
  let environment: Record<string, string>;

  before(async () => {
    database = await open();
    await (await startService(database, {})).close();
    const { dataDir, databaseUrl } = database;
    const key = { GATEHOUSE_KEY_FILE: join(dataDir, "gatehouse.key") };
    environment = {
      ...{ DATA_DIR: dataDir, LOG_LEVEL: "error", REGISTRY_SYNC: "off", PORT, ...key },
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    };
  });
  beforeEach(async () => {
    assert.deepEqual(await readMissingRows(database.databases), []);
  });

  /** Deletes the rows of a table during `work`. */
  async function without(table: string, work: () => Promise<void>): Promise<void> {
    const db = table === "log_counters" ? database.databases.calls : database.databases.main;
    const kept = sql.table("kept");
    await sql`create table ${kept} as select * from ${sql.table(table)}`.execute(db);
    await sql`delete from ${sql.table(table)}`.execute(db);
    try {
      await work();
    } finally {
      await sql`delete from ${sql.table(table)}`.execute(db);
      await sql`insert into ${sql.table(table)} select * from ${kept}`.execute(db);
      await sql`drop table ${kept}`.execute(db);
    }
  }

  const run = (...args: string[]) =>
    new Promise<readonly [code: number | null, stderr: string]>((resolve) => {
      const env = { PATH: process.env.PATH, ...environment };
      const child = execFile(process.execPath, [...GATEHOUSE, ...args], { env }, (_error, _stdout, stderr) =>
        resolve([child.exitCode, stderr]),
      );
    });

  it("is neither copied nor changed: each command prints one line and exits with 1", async () => {
    const path = join(database.dataDir, "copy.backup");
    for (const table of ["audit_chain", "log_counters"]) {
      await without(table, async () => {
        const line = `gatehouse: Required rows of these tables were deleted: ${table}. ${ADVICE}\n`;
        for (const command of [["backup", path, "--urgent"], ["keys", "rotate"], ["owner-link"]]) {
          assert.deepEqual(await run(...command), [1, line], command.join(" "));
        }
      });
    }
    assert.deepEqual([existsSync(path), existsSync(`${path}.partial`)], [false, false]);
  });

  it("is reported by doctor, which names every table", async () => {
    for (const table of ["change_counter", "audit_chain", "audit_verification", "discovery_policy", "log_counters"]) {
      await without(table, async () => {
        const findings = await collect(examine(readConfig(environment)));
        const message = `Required rows of these tables were deleted: ${table}.`;
        const failure = { check: "Database", status: "error", message, advice: ADVICE };
        assert.deepEqual(
          findings.filter(({ check, status }) => check === "Database" && status === "error"),
          [failure],
        );
      });
    }
  });

  it("does not start without the row that changes are numbered with, and starts without others", async () => {
    await without("change_counter", async () => {
      await assert.rejects(startService(database, {}), new MissingRows(["change_counter"]));
    });
    await without("audit_chain", async () => {
      const service = await startService(database, {});
      assert.equal((await service.http("/readyz")).status, 200);
      await service.close();
    });
  });

  it("does not start if the applied migrations are not listed", async () => {
    await without("schema_migrations", async () => {
      await assert.rejects(migrate(database.databases, systemClock), (error: unknown) => {
        assert.ok(error instanceof MigrationConflict);
        assert.match(
          error.message,
          /^The database has what the migration main\/\S+ creates, but its table schema_migrations/,
        );
        return true;
      });
    });
  });
});

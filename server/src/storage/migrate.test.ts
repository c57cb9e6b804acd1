import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { createPostgresDatabase, forEachDatabase, makeDataDir } from "#test/databases";
import type { Databases } from "./database.ts";
import { migrate, splitStatements } from "./migrate.ts";
import { openDatabases } from "./open-databases.ts";

const logger = createLogger("silent");
const ALL = ["calls", "main"].flatMap((set) =>
  readdirSync(new URL(`./migrations/${set}/`, import.meta.url)).map((file) => `${set}/${file.replace(".sql", "")}`),
);
const MIGRATE = `
  const { openDatabases } = await import("#storage/open-databases");
  const { migrate } = await import("#storage/migrate");
  const { systemClock } = await import("#lib/clock");
  const { createLogger } = await import("#lib/logger");
  const [dataDir, databaseUrl] = process.argv.slice(1);
  const databases = await openDatabases({ dataDir, databaseUrl, logger: createLogger("silent") });
  console.log(JSON.stringify(await migrate(databases, systemClock)));
  await databases.close();
`;

/** What one more process that starts beside others applied. */
async function migrateInProcess(dataDir: string, databaseUrl: string | undefined): Promise<string[]> {
  const location = databaseUrl === undefined ? [dataDir] : [dataDir, databaseUrl];
  const child = spawn(process.execPath, ["--input-type=module", "--eval", MIGRATE, ...location], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([child.stdout.toArray(), once(child, "exit")]);
  return JSON.parse(Buffer.concat(output).toString());
}

async function recordedNames(databases: Databases): Promise<string[]> {
  const name = sql<{ name: string }>`SELECT name FROM schema_migrations`;
  const rows = [...(await name.execute(databases.main)).rows, ...(await name.execute(databases.calls)).rows];
  return [...new Set(rows.map((row) => row.name))].sort();
}

for (const dialect of ["sqlite", "postgres"] as const) {
  describe(`migrate an empty database, OPS-8 (${dialect})`, () => {
    it("three processes that start at once all succeed, and each migration is applied once", async () => {
      const postgres = dialect === "postgres" ? await createPostgresDatabase() : undefined;
      const dataDir = await makeDataDir();
      const applied = await Promise.all([1, 2, 3].map(() => migrateInProcess(dataDir, postgres?.databaseUrl)));
      const databases = await openDatabases({ dataDir, databaseUrl: postgres?.databaseUrl, logger });
      assert.deepEqual(applied.flat().sort(), ALL.toSorted());
      assert.deepEqual(await recordedNames(databases), ALL.toSorted());
      await databases.close();
      await postgres?.drop();
      await rm(dataDir, { recursive: true });
    });
  });
}

forEachDatabase("migrate", (open) => {
  it("a second run applies nothing", async () => {
    const { databases } = await open();
    assert.deepEqual(await migrate(databases, systemClock), []);
  });

  it("a database of a newer release is accepted as it is", async () => {
    const { databases } = await open();
    await sql`INSERT INTO schema_migrations (name, applied_at) VALUES ('main/9999-future', 0)`.execute(databases.main);
    assert.deepEqual(await migrate(databases, systemClock), []);
  });

  it("a migration that fails leaves nothing of the whole run behind", async () => {
    const { databases } = await open();
    await sql`DELETE FROM schema_migrations`.execute(databases.main);
    await sql`DROP TABLE settings`.execute(databases.main);
    await sql`DROP TABLE leases`.execute(databases.main);
    await assert.rejects(migrate(databases, systemClock), /already exists/);
    assert.deepEqual((await sql`SELECT name FROM schema_migrations`.execute(databases.main)).rows, []);
    await assert.rejects(databases.main.selectFrom("leases").selectAll().execute());
  });
});

describe("splitStatements", () => {
  it("ends a statement at a semicolon that ends a line, and skips comment lines", () => {
    const text =
      "-- first; of all\nCREATE TABLE a (\n  b TEXT -- why; not\n);\nINSERT INTO a VALUES ('x; y');\n\n  -- end\n";
    assert.deepEqual(splitStatements(text), [
      "CREATE TABLE a (\n  b TEXT -- why; not\n)",
      "INSERT INTO a VALUES ('x; y')",
    ]);
  });
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { before, describe, it } from "node:test";
import { sql } from "kysely";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { createPostgresDatabase, forEachDatabase, makeDataDir } from "#test/databases";
import type { Databases } from "./database.ts";
import { migrate, readMigrations, splitStatements } from "./migrate.ts";
import { openDatabases } from "./open-databases.ts";

const logger = createLogger("silent");
const SETS = ["calls", "main"];
let migrationsOfSets: Awaited<ReturnType<typeof readMigrations>>[] = [];
let all: string[] = [];
before(async () => {
  migrationsOfSets = await Promise.all(SETS.map(readMigrations));
  all = migrationsOfSets.flat().map(({ name }) => name);
});
/** The names under which existing installations recorded their migrations, in the order of application. */
const RECORDED = [
  "main/0001-organization",
  "main/0002-listed-tools",
  "main/0003-secret-rotation",
  "main/0004-invitations",
  "main/0005-connectors",
  "main/0006-server-items",
  "main/0007-connections",
  "main/0008-sign-in",
  "main/0009-tool-pins",
  "main/0010-sync-identity",
  "main/0011-audit-address",
  "main/0011-identity-provider",
  "main/0012-oauth-towards-servers",
  "main/0013-oauth-flows",
  "main/0014-server-limits",
  "main/0015-mcp-sessions",
  "main/0016-upstream-sessions",
  "main/0017-gateway-tokens",
  "main/0018-mcp-subscriptions",
  "main/0019-oauth-server",
  "main/0020-tool-search",
  "main/0021-passed-messages",
  "main/0021-tools-shown",
  "main/0022-subscriptions-handed-over",
  "main/0025-server-health",
  "main/0026-shared-headers",
  "main/0027-api-token-origin",
  "main/0028-account-resets",
  "main/0029-issuers",
  "main/0030-rows-per-user",
  "main/0031-oauth-change",
  "main/0032-consent-for-a-server",
  "main/0033-item-pins",
  "main/0034-server-instructions",
  "main/0035-tool-selections",
  "main/0036-tool-capabilities",
  "main/0037-caller-memory",
  "main/0038-access-requests",
  "main/0039-call-limits",
  "main/0040-toolkits",
  "main/0042-webhooks",
  "main/0043-reported-health",
  "main/0044-guards",
  "main/0045-approvals",
  "main/0047-definitions-held-by-guards",
  "main/0048-stored-results",
  "main/0050-skills",
  "main/0054-commands",
  "main/0056-plugins",
  "main/0058-marketplaces",
  "main/0060-auth-exchange",
  "main/0061-exchange-audiences",
  "main/0065-external-ids",
  "main/0066-provisioning",
  "main/0067-sso-group-removal",
  "main/0070-agents",
  "main/0071-agent-approvals",
  "main/0072-agent-triggers",
  "main/0075-ai-discovery",
  "main/0080-audit-chain",
  "main/0081-managed-objects",
  "main/0084-log-destinations",
  "main/0087-unchanged-reports",
  "main/0088-discovery-follows-groups",
  "main/0090-managed-fields",
  "main/0093-discovered-skill-texts",
  "main/0095-emails",
  "main/0096-agent-session-inputs",
  "main/0100-one-way-to-ship-audit-entries",
  "main/0101-email-opt-outs",
  "main/0102-reset-author",
  "main/0103-refused-skill-texts",
  "main/0104-fewer-pages-per-report",
  "main/0105-new-items-next-to-each-other",
  "calls/0001-call-log",
  "calls/0002-call-minutes",
  "calls/0003-call-clients",
  "calls/0004-call-payloads",
  "calls/0005-arrivals-and-errors",
  "calls/0006-coarse-statistics",
  "calls/0007-call-days",
  "calls/0008-call-toolkits",
  "calls/0009-call-guards",
  "calls/0010-call-approvals",
  "calls/0014-agent-sessions",
  "calls/0015-toolkit-conflicts",
];
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

/** The names that a separate process applied. */
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
    it("succeeds in three processes that start together, and applies each migration once", async () => {
      const postgres = dialect === "postgres" ? await createPostgresDatabase() : undefined;
      const dataDir = await makeDataDir();
      const applied = await Promise.all([1, 2, 3].map(() => migrateInProcess(dataDir, postgres?.databaseUrl)));
      const databases = await openDatabases({ dataDir, databaseUrl: postgres?.databaseUrl, logger });
      assert.deepEqual(applied.flat().sort(), all.toSorted());
      assert.deepEqual(await recordedNames(databases), all.toSorted());
      await databases.close();
      await postgres?.drop();
      await rm(dataDir, { recursive: true });
    });
  });
}

forEachDatabase("migrate", (open) => {
  it("applies nothing on a second run", async () => {
    const { databases } = await open();
    assert.deepEqual(await migrate(databases, systemClock), []);
  });

  it("applies nothing to a database that recorded the names of earlier releases", async () => {
    const { databases, dialect } = await open();
    const inMain = dialect === "postgres" ? RECORDED : RECORDED.filter((name) => name.startsWith("main/"));
    await sql`DELETE FROM schema_migrations`.execute(databases.main);
    for (const name of inMain) {
      await sql`INSERT INTO schema_migrations (name, applied_at) VALUES (${name}, 0)`.execute(databases.main);
    }
    assert.deepEqual(await migrate(databases, systemClock), []);
  });

  it("accepts a database of a newer release", async () => {
    const { databases } = await open();
    await sql`INSERT INTO schema_migrations (name, applied_at) VALUES ('main/9999-future', 0)`.execute(databases.main);
    assert.deepEqual(await migrate(databases, systemClock), []);
  });

  it("records the checksum of each migration, also of those that an earlier release applied", async () => {
    const { databases } = await open();
    const checksums = async () => {
      const { rows } = await sql<{ checksum: string | null }>`select checksum from schema_migrations`.execute(
        databases.main,
      );
      return rows.map(({ checksum }) => checksum);
    };
    const recorded = await checksums();
    assert.ok(recorded.every((checksum) => /^[0-9a-f]{64}$/.test(checksum ?? "")));
    await sql`ALTER TABLE schema_migrations DROP COLUMN checksum`.execute(databases.main);
    await sql`ALTER TABLE schema_migrations DROP COLUMN breaking`.execute(databases.main);
    assert.deepEqual(await migrate(databases, systemClock), []);
    assert.deepEqual((await checksums()).sort(), recorded.sort());
  });

  it("refuses a database with a different version of a migration", async () => {
    const { databases } = await open();
    await sql`UPDATE schema_migrations SET checksum = 'other' WHERE name = 'main/0003-secret-rotation'`.execute(
      databases.main,
    );
    await assert.rejects(migrate(databases, systemClock), {
      name: "MigrationConflict",
      message: /^The migration main\/0003-secret-rotation of the database differs from the one of this release\./,
    });
  });

  it("refuses a database of a newer release that this release cannot use", async () => {
    const { databases } = await open();
    await sql`INSERT INTO schema_migrations (name, applied_at, breaking) VALUES ('main/9999-future', 0, 1)`.execute(
      databases.main,
    );
    await assert.rejects(migrate(databases, systemClock), {
      name: "MigrationConflict",
      message: /^The database belongs to a newer release \(main\/9999-future\)/,
    });
  });

  it("leaves nothing of the run behind when a migration fails", async () => {
    const { databases } = await open();
    await sql`DELETE FROM schema_migrations`.execute(databases.main);
    await sql`DROP TABLE settings`.execute(databases.main);
    await sql`DROP TABLE leases`.execute(databases.main);
    await assert.rejects(migrate(databases, systemClock), /schema_migrations does not list/);
    assert.deepEqual((await sql`SELECT name FROM schema_migrations`.execute(databases.main)).rows, []);
    await assert.rejects(databases.main.selectFrom("leases").selectAll().execute());
  });
});

describe("the migration files", () => {
  it("have unique numbers, and unique recorded names", () => {
    for (const migrations of migrationsOfSets) {
      const numbers = migrations.map(({ file }) => /^(\d{4})-/.exec(file)?.[1]);
      assert.ok(!numbers.includes(undefined));
      assert.equal(new Set(numbers).size, numbers.length);
    }
    assert.equal(new Set(all).size, all.length);
  });

  it("keep the recorded names of earlier releases, in their order", () => {
    for (const set of SETS) {
      const isOfSet = (name: string) => name.startsWith(`${set}/`);
      const recorded = RECORDED.filter(isOfSet);
      assert.deepEqual(all.filter(isOfSet).slice(0, recorded.length), recorded);
    }
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

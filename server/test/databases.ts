import { createHash, randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe } from "node:test";
import pg from "pg";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import type { Databases } from "#storage/database";
import { migrate } from "#storage/migrate";
import { openDatabases } from "#storage/open-databases";
import type { PostgresTimeouts } from "#storage/postgres-dialect";
import type { SqliteDurability } from "#storage/sqlite-worker";

/** A migrated, empty database for one test. */
export interface TestDatabase {
  databases: Databases;
  dialect: Databases["dialect"];
  dataDir: string;
  databaseUrl: string | undefined;
  close(): Promise<void>;
}

export type OpenTestDatabase = () => Promise<TestDatabase>;
type Suite = (open: OpenTestDatabase, dialect: Databases["dialect"]) => void;

const MIGRATIONS = new URL("../src/storage/migrations/", import.meta.url);
const TEMPLATE_LOCK = 4_721_083_356;
const logger = createLogger("silent");

const OPEN = { sqlite: openTestSqlite, postgres: openTestPostgres } as const;

/** Registers the suite once per database. Databases that a test leaves open are closed after the suite. */
export function forEachDatabase(name: string, suite: Suite): void;
export function forEachDatabase(suite: Suite): void;
export function forEachDatabase(...args: [string, Suite] | [Suite]): void {
  const [name, suite] = args.length === 2 ? args : [undefined, args[0]];
  describeOn("sqlite", name, suite);
  describeOn("postgres", name, suite);
}

/** Registers the suite on SQLite only, for behavior that does not depend on the SQL dialect. */
export function onSqlite(name: string, suite: Suite): void {
  describeOn("sqlite", name, suite);
}

/** Registers the suite on Postgres only, for behavior of several processes. */
export function onPostgres(name: string, suite: Suite): void {
  describeOn("postgres", name, suite);
}

function describeOn(dialect: Databases["dialect"], name: string | undefined, suite: Suite): void {
  describe(name === undefined ? dialect : `${name} (${dialect})`, () => {
    const opened: TestDatabase[] = [];
    suite(async () => {
      const database = await OPEN[dialect]();
      opened.push(database);
      return database;
    }, dialect);
    // Registered after the hooks of the suite, so that services close before their database.
    after(async () => {
      for (const database of opened) await database.close();
    });
  });
}

/**
 * No test cuts the power, and a commit that waits for the disk takes about 4 ms. Tests of killed processes start the
 * service with its own settings. Postgres runs without fsync too.
 */
export const FAST_DURABILITY: SqliteDurability = "process-crash";

export async function openTestSqlite(): Promise<TestDatabase> {
  const dataDir = await makeDataDir();
  await cp(await ensureSqliteTemplate(), dataDir, { recursive: true });
  const databases = await openDatabases({ ...sqliteAt(dataDir), logger });
  return closingOnce({ databases, dialect: "sqlite", dataDir, databaseUrl: undefined }, async () => {});
}

function sqliteAt(dataDir: string) {
  return { dataDir, databaseUrl: undefined, sqliteDurability: FAST_DURABILITY };
}

/** On a slow machine, Postgres can be silent for seconds. Tests of an outage use other timeouts. */
export const PATIENT_TIMEOUTS: PostgresTimeouts = {
  connectMs: 60_000,
  responseMs: 120_000,
  suspicionMs: 60_000,
  idleTransactionMs: 120_000,
  statementMs: 110_000,
};

export async function openTestPostgres(): Promise<TestDatabase> {
  const { databaseUrl, drop } = await createPostgresDatabase(await ensurePostgresTemplate());
  const dataDir = await makeDataDir();
  const databases = await openDatabases({ dataDir, databaseUrl, logger, postgresTimeouts: PATIENT_TIMEOUTS });
  return closingOnce({ databases, dialect: "postgres", dataDir, databaseUrl }, drop);
}

/** An empty Postgres database without tables, for tests of the migrator. */
export async function createPostgresDatabase(
  template = "template0",
): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const name = `gatehouse_test_${randomBytes(8).toString("hex")}`;
  await onMaintenance((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    databaseUrl: urlOf(name),
    drop: () =>
      onMaintenance(async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))),
  };
}

export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), "gatehouse-test-"));
}

function closingOnce(parts: Omit<TestDatabase, "close">, drop: () => Promise<void>): TestDatabase {
  let closed: Promise<void> | undefined;
  const close = async () => {
    await parts.databases.close();
    await drop();
    await rm(parts.dataDir, { recursive: true, force: true });
  };
  return {
    ...parts,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

let sqliteTemplate: Promise<string> | undefined;

/** A folder with migrated, empty SQLite files, created once per process. */
function ensureSqliteTemplate(): Promise<string> {
  sqliteTemplate ??= makeDataDir().then(async (dataDir) => {
    const databases = await openDatabases({ ...sqliteAt(dataDir), logger });
    await migrate(databases, systemClock);
    await databases.close();
    return dataDir;
  });
  return sqliteTemplate;
}

let postgresTemplate: Promise<string> | undefined;

/** Migrated once per set of migrations, by the first test process that needs it; the others wait for the lock. */
function ensurePostgresTemplate(): Promise<string> {
  postgresTemplate ??= hashOfMigrations().then((hash) => {
    const name = `gatehouse_template_${hash}`;
    return onMaintenance(async (client) => {
      await client.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
      const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
      if (rowCount === 0) await buildTemplate(client, name);
      return name;
    });
  });
  return postgresTemplate;
}

/** Renamed when it is complete, so that an interrupted run leaves no partial template. */
async function buildTemplate(client: pg.Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${name}_unfinished WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${name}_unfinished TEMPLATE template0`);
  const dataDir = await makeDataDir();
  const databases = await openDatabases({ dataDir, databaseUrl: urlOf(`${name}_unfinished`), logger });
  await migrate(databases, systemClock);
  await databases.close();
  await rm(dataDir, { recursive: true, force: true });
  await client.query(`ALTER DATABASE ${name}_unfinished RENAME TO ${name}`);
}

async function hashOfMigrations(): Promise<string> {
  const hash = createHash("sha256");
  const files = (await readdir(MIGRATIONS, { recursive: true })).filter((file) => file.endsWith(".sql")).sort();
  for (const file of files) hash.update(file).update(await readFile(new URL(file, MIGRATIONS)));
  return hash.digest("hex").slice(0, 16);
}

async function onMaintenance<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: maintenanceUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(maintenanceUrl());
  url.pathname = `/${database}`;
  return url.href;
}

/** The only place in the tests that knows the URL of Postgres. */
function maintenanceUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return url;
  throw new Error(
    "TEST_DATABASE_URL is not set: run the tests with `node tooling/run-tests.mjs`, which starts a Postgres, " +
      "or set it to a Postgres where databases can be created",
  );
}

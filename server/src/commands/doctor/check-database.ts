import { sql } from "kysely";
import type { Config } from "#config/config";
import { readWrappingKeys } from "#config/wrapping-keys";
import type { Clock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import type { Databases } from "#storage/database";
import { MigrationConflict, readMigrationStatus } from "#storage/migrate";
import { openDatabases } from "#storage/open-databases";
import { hasVaultKeys } from "#storage/open-vault";
import { describeMissingRows, RESTORE_ADVICE, readMissingRows } from "#storage/required-rows";
import { hasUnfinishedRestore } from "#storage/unfinished-restore";
import { mayHaveDatabase } from "../assert-database.ts";
import { readKeyStatus } from "../key-status.ts";
import { checkQueues } from "./check-queues.ts";
import { type Finding, failure, ok, textOf, warning } from "./finding.ts";

const CHECK = "Database";
/** Sessions, tokens, and leases of replicas depend on the time. */
const MOST_SECONDS_APART = 5;
const NAMED_SERVERS = 5;

/** Changes nothing: creates no file and applies no migration. */
export async function* checkDatabase(config: Config, clock: Clock): AsyncGenerator<Finding> {
  const { dataDir, databaseUrl } = config;
  let databases: Databases | undefined;
  try {
    if (!mayHaveDatabase(config)) return yield ok(CHECK, "No database yet. The first start creates it.");
    databases = await openDatabases({ dataDir, databaseUrl, logger: createLogger("silent") });
    await sql`select 1`.execute(databases.main);
  } catch (error) {
    await databases?.close();
    const advice =
      databaseUrl === undefined
        ? `Check the files in ${dataDir}, and run this command as the user that runs Gatehouse.`
        : "Check DATABASE_URL and the network.";
    return yield failure(CHECK, `The database cannot be opened: ${textOf(error)}.`, advice);
  }
  try {
    yield* checkOpenDatabase(config, databases, clock);
  } finally {
    await databases.close();
  }
}

async function* checkOpenDatabase(config: Config, databases: Databases, clock: Clock): AsyncGenerator<Finding> {
  const isPostgres = config.databaseUrl !== undefined;
  if (await hasUnfinishedRestore(databases.main)) {
    const message = "A restore into this database did not finish, so data is missing.";
    const advice = "Run: gatehouse restore <file>. It deletes the incomplete data first.";
    return yield failure(CHECK, message, advice);
  }
  yield ok(CHECK, isPostgres ? "Postgres responds." : "The SQLite files can be opened.");
  const schema = await checkMigrations(databases);
  yield schema;
  if (schema.status === "ok") {
    const missing = await readMissingRows(databases);
    if (missing.length > 0) return yield failure(CHECK, describeMissingRows(missing), RESTORE_ADVICE);
    yield await checkKeys(config, databases);
    yield await checkSyncs(databases);
    yield* checkQueues(databases, clock.now());
  }
  yield await checkClock(databases, clock);
}

async function checkMigrations(databases: Databases): Promise<Finding> {
  const check = "Migrations";
  try {
    const { known, missing } = await readMigrationStatus(databases);
    if (missing === 0) return ok(check, `All ${known} migrations of this release are applied.`);
    return warning(
      check,
      `Migrations of this release that are not applied: ${missing}.`,
      "Run: gatehouse migrate. A start of the service applies them too.",
    );
  } catch (error) {
    if (!(error instanceof MigrationConflict)) throw error;
    return failure(check, error.problem, error.advice);
  }
}

async function checkKeys(config: Config, { main }: Databases): Promise<Finding> {
  const check = "Encryption";
  if (!(await hasVaultKeys(main))) return ok(check, "Nothing is encrypted yet.");
  const { problems } = await readKeyStatus(main, readWrappingKeys(config));
  if (problems.length === 0) return ok(check, "The key file decrypts all data keys.");
  return failure(
    check,
    problems.join(" "),
    "Use the key file that belongs to this database. See: gatehouse keys status",
  );
}

async function checkSyncs({ main }: Databases): Promise<Finding> {
  const check = "MCP servers";
  const failing = await main
    .selectFrom("mcp_servers")
    .select("slug")
    .where("sync_error", "is not", null)
    .where("status", "=", "active")
    .orderBy("slug")
    .execute();
  if (failing.length === 0) return ok(check, "No active server failed its last sync.");
  const slugs = failing.slice(0, NAMED_SERVERS).map(({ slug }) => slug);
  const more = failing.length > slugs.length ? ` and ${failing.length - slugs.length} more` : "";
  const message = `The last sync of these active servers failed: ${slugs.join(", ")}${more}.`;
  return warning(check, message, `Run: gatehouse servers get ${slugs[0]}`);
}

async function checkClock({ dialect, main }: Databases, clock: Clock): Promise<Finding> {
  const check = "Clock";
  if (dialect === "sqlite") return ok(check, "SQLite uses the clock of this machine.");
  const before = clock.now();
  const { rows } = await sql<{ at: string }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(main);
  const middle = (before + clock.now()) / 2;
  const seconds = Math.round(Math.abs(Number(rows[0]?.at) - middle) / 1000);
  const message = `The clocks of this machine and of Postgres differ by ${seconds} s.`;
  if (seconds <= MOST_SECONDS_APART) return ok(check, message);
  return warning(check, message, "Synchronize both clocks, for example with NTP.");
}

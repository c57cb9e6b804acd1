import { join, resolve } from "node:path";
import type { Config } from "#config/config";
import { BadSetting } from "#lib/bad-setting";
import { fileExists } from "#lib/file-exists";
import type { Databases, MainDb } from "#storage/database";
import { MigrationConflict, readMigrationStatus } from "#storage/migrate";
import { hasVaultKeys } from "#storage/open-vault";

/**
 * For commands that need the data of an installation. Opening SQLite creates a file, so without this check a command with
 * the wrong settings would work on a new, empty installation.
 */
export function assertDatabaseFile(config: Config): void {
  if (!mayHaveDatabase(config)) throw noDatabase(config);
}

/** False if there is no SQLite file; throws if the folder cannot be read. Whether a Postgres database has tables is known after it was opened. */
export function mayHaveDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || fileExists(join(dataDir, "gatehouse.db"));
}

export async function assertTables(config: Config, main: MainDb): Promise<void> {
  if (!(await hasVaultKeys(main))) throw noDatabase(config);
}

/** For commands that read all tables and columns of this release, and change none. */
export async function assertMigrated(databases: Databases): Promise<void> {
  if ((await readMigrationStatus(databases)).missing === 0) return;
  throw new MigrationConflict(
    "The database still has the tables of an earlier release.",
    'Run "gatehouse migrate", or start the service of this release, and try again.',
  );
}

function noDatabase({ databaseUrl, dataDir }: Config): BadSetting {
  const problem =
    databaseUrl === undefined
      ? `DATA_DIR (${resolve(dataDir)}) has no database of Gatehouse`
      : "The database of DATABASE_URL has no tables of Gatehouse";
  const hint = "Use the settings of the service, for example with --settings. The first start creates the database.";
  return new BadSetting(`${problem}. ${hint}`);
}

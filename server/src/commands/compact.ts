import { readConfig } from "#config/config";
import { createLogger } from "#lib/logger";
import { openDatabases } from "#storage/open-databases";
import { assertDatabaseFile } from "./assert-database.ts";

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** Rewrites the SQLite files without free space. Safe while the service runs: its writes wait. */
export async function compact(): Promise<void> {
  const config = readConfig();
  assertDatabaseFile(config);
  const logger = createLogger(config.logLevel, process.stderr);
  const databases = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, logger });
  try {
    if (!databases.compact) {
      process.stdout.write("Nothing to compact: Postgres reuses the space of deleted rows.\n");
      return;
    }
    process.stderr.write("Compacting calls.db and gatehouse.db. Changes wait until it is complete, calls do not.\n");
    for (const { path, bytesBefore, bytesAfter } of await databases.compact()) {
      process.stdout.write(`${path}: ${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} after\n`);
    }
  } finally {
    await databases.close();
  }
}

import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { readConfig } from "#server/config";
import { migrate } from "#storage/migrate";
import { openDatabases } from "#storage/open-databases";

/** For operators who run migrations as a step of their own; `serve` does the same by itself. */
export async function migrateOnly(): Promise<void> {
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const databases = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, logger });
  try {
    await migrate(databases, systemClock);
    logger.info("the database is up to date");
  } finally {
    await databases.close();
  }
}

import { readConfig } from "#config/config";
import { readWrappingKeys } from "#config/wrapping-keys";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { migrate } from "#storage/migrate";
import { openDatabases } from "#storage/open-databases";
import { assertUsable } from "#storage/open-vault";

/** Runs the migrations as a separate step; `serve` also runs them. With a wrong key it changes nothing (SEC-7). */
export async function migrateOnly(): Promise<void> {
  const config = readConfig();
  const keys = readWrappingKeys(config);
  const logger = createLogger(config.logLevel);
  const databases = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, logger });
  try {
    await assertUsable(databases.main, keys);
    await migrate(databases, systemClock);
    logger.info("the database is up to date");
  } finally {
    await databases.close();
  }
}

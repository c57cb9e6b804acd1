import { readConfig } from "#config/config";
import { readWrappingKeys } from "#config/wrapping-keys";
import { breakGlass } from "#identity/set-up";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { migrate } from "#storage/migrate";
import { openDatabases } from "#storage/open-databases";
import { assertUsable } from "#storage/open-vault";
import { assertRequiredRows } from "#storage/required-rows";
import { assertDatabaseFile, assertTables } from "./assert-database.ts";

/** Restores access for the operator. No setting of the installation can disable it. */
export async function ownerLink(): Promise<void> {
  const config = readConfig();
  assertDatabaseFile(config);
  const keys = readWrappingKeys(config);
  const logger = createLogger(config.logLevel);
  const databases = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, logger });
  try {
    await assertUsable(databases.main, keys);
    await assertTables(config, databases.main);
    await migrate(databases, systemClock);
    await assertRequiredRows(databases);
    const newId = createIds(systemClock, systemRandom);
    // The link is not part of the snapshot, so there is no revision to wait for.
    const waitUntilPublished = async () => {};
    const token = await breakGlass({ databases, clock: systemClock, random: systemRandom, newId, waitUntilPublished });
    process.stdout.write(`${config.baseUrl}/setup-link#${token}\n`);
    process.stderr.write("Open this link within one hour to create an owner account.\n");
  } finally {
    await databases.close();
  }
}

import { createLogger } from "#lib/logger";
import { openDatabases } from "#storage/open-databases";

/**
 * Lets the claims of a killed process expire without waiting, as if their time had passed. That claims expire with time is
 * tested with a simulated clock, next to the code.
 */
export async function expireClaims(dataDir: string): Promise<void> {
  const databases = await openDatabases({ dataDir, databaseUrl: undefined, logger: createLogger("silent") });
  try {
    await databases.main.updateTable("emails").set({ due_at: 0 }).where("claimed_by", "is not", null).execute();
    await databases.main
      .updateTable("log_cursors")
      .set({ claimed_until: 0 })
      .where("claimed_by", "is not", null)
      .execute();
  } finally {
    await databases.close();
  }
}

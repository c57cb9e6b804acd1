import type { MainDb, MainTransaction } from "#storage/database";
import { deleteOldest } from "#storage/delete-oldest";

/** The response to a report that was applied before. */
export async function findReport(db: MainDb, deviceId: string, reportId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("discovery_reports")
    .select("response")
    .where("device_id", "=", deviceId)
    .where("id", "=", reportId)
    .executeTakeFirst();
  return row?.response;
}

export async function insertReport(
  tx: MainTransaction,
  row: { readonly device_id: string; readonly id: string; readonly at: number; readonly response: string },
): Promise<void> {
  await tx.insertInto("discovery_reports").values(row).execute();
}

export function deleteReportsBefore(db: MainDb, before: number, limit: number): Promise<boolean> {
  return deleteOldest(db, "discovery_reports", before, limit);
}

import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { McpServerRow } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";

export type UnhealthyStatus = "unreachable" | "failing";
type Reported = Pick<McpServerRow, "id" | "slug" | "name" | "status">;

/**
 * Emits `server.unhealthy` once when a server becomes unhealthy. A server that is failing and becomes unreachable, or the
 * other way around, stays unhealthy. Drafts are not reported, because they are being set up.
 */
export async function reportUnhealthy(
  tx: MainTransaction,
  trail: WriteTrail,
  server: Reported,
  { status, message, now }: { readonly status: UnhealthyStatus; readonly message: string; readonly now: number },
): Promise<void> {
  if (server.status !== "active") return;
  const isNew = await tx
    .insertInto("reported_health")
    .values({ server_id: server.id, status, reported_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("server_id")
    .execute();
  if (isNew.length > 0) trail.emit("server.unhealthy", { server: named(server), status, message });
  else await tx.updateTable("reported_health").set({ status }).where("server_id", "=", server.id).execute();
}

/** Emits `server.healthy` if the server was reported with this status. */
export async function reportHealthy(
  tx: MainTransaction,
  trail: WriteTrail,
  server: Reported,
  was: UnhealthyStatus,
): Promise<void> {
  const reported = await lockRows(
    tx,
    tx.selectFrom("reported_health").selectAll().where("server_id", "=", server.id).where("status", "=", was),
  ).executeTakeFirst();
  if (!reported) return;
  await tx.deleteFrom("reported_health").where("server_id", "=", server.id).execute();
  const since = new Date(reported.reported_at).toISOString();
  trail.emit("server.healthy", { server: named(server), status: "healthy", unhealthy_since: since });
}

/** IDs of the servers that were reported with this status. */
export async function serversReported(db: MainDb, status: UnhealthyStatus): Promise<string[]> {
  const rows = await db.selectFrom("reported_health").select("server_id").where("status", "=", status).execute();
  return rows.map(({ server_id }) => server_id);
}

/** Without an event. */
export async function forgetReported(db: MainDb, status: UnhealthyStatus): Promise<void> {
  await db.deleteFrom("reported_health").where("status", "=", status).execute();
}

function named({ slug, name }: Reported) {
  return { slug, name };
}

import type { MainTransaction } from "#storage/database";

/** Voids what users gave for this server (AZ-8). Answers how many connections that were. */
export async function deleteConnectionsOfServer(tx: MainTransaction, serverId: string): Promise<number> {
  const gone = await tx.deleteFrom("connections").where("server_id", "=", serverId).returning("id").execute();
  return gone.length;
}

import type { MainDb, MainTransaction } from "#storage/database";
import type { OAuthClientRow } from "#storage/oauth-tables";

export async function findOAuthClient(
  db: MainDb,
  serverId: string,
  bindingKey: string,
): Promise<OAuthClientRow | undefined> {
  return db
    .selectFrom("oauth_clients")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("binding_key", "=", bindingKey)
    .executeTakeFirst();
}

export async function findOAuthClientById(db: MainDb, id: string): Promise<OAuthClientRow | undefined> {
  return db.selectFrom("oauth_clients").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Replaces the previous client, whose secret has expired. */
export async function putOAuthClient(tx: MainTransaction, row: OAuthClientRow): Promise<void> {
  await tx
    .deleteFrom("oauth_clients")
    .where("server_id", "=", row.server_id)
    .where("binding_key", "=", row.binding_key)
    .execute();
  await tx.insertInto("oauth_clients").values(row).execute();
}

/** For a client that the authorization server no longer knows: the next connection registers again. */
export async function deleteOAuthClient(db: MainDb, id: string): Promise<void> {
  await db.deleteFrom("oauth_clients").where("id", "=", id).execute();
}

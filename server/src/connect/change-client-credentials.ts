import { deleteConnection, listConnectionsOfUser, noteConnectionsChanged, openConnection } from "#records/connections";
import { findServerById, oauthServerIds } from "#records/mcp-servers";
import { updateUser } from "#records/users";
import type { MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";
import { type ClientCredentials, sealClientCredentials } from "./client-credentials.ts";

/** D24: the next call gets a token with the new credentials. Null removes them. Tokens of the old ones are deleted. */
export async function changeClientCredentials(
  {
    tx,
    trail,
    vault,
    now,
  }: { readonly tx: MainTransaction; readonly trail: WriteTrail; readonly vault: Vault; readonly now: number },
  user: UserRow,
  next: ClientCredentials | null,
): Promise<void> {
  const sealed = next === null ? null : sealClientCredentials(vault, user.id, next);
  await updateUser(tx, trail, user.id, { sealed_client_credentials: sealed, updated_at: now });
  for (const connection of await listConnectionsOfUser(tx, user.id)) {
    const secret = openConnection(vault, connection);
    if (secret.kind !== "oauth" || secret.clientSource !== "machine") continue;
    const server = await findServerById(tx, connection.server_id);
    if (server) await deleteConnection(tx, trail, { user, server }, "setClientCredentials");
  }
  // Processes that cached a failure with the old credentials try again.
  noteConnectionsChanged(trail, user.id, await oauthServerIds(tx));
}

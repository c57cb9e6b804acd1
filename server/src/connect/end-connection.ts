import { markReconnectNeeded } from "#records/connections";
import { queueEmails } from "#records/emails";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteAuthor, type WriteContext, writeTransaction } from "#storage/transaction";
import type { ConnectionRow, UserRow } from "#storage/user-tables";

/** Marks that the user must reconnect, and notifies people by email. */
export async function endConnection(
  context: WriteContext,
  author: WriteAuthor,
  connection: ConnectionRow & { readonly user: UserRow; readonly server: McpServerRow },
  error: string,
): Promise<void> {
  const now = context.clock.now();
  await writeTransaction(context, author, async (tx, trail) => {
    const isMarked = await markReconnectNeeded(tx, trail, connection, { error, now });
    const { user, server } = connection;
    if (!isMarked || user.is_machine_user || user.disabled) return;
    const data = { server: server.name, slug: server.slug, error };
    await queueEmails(tx, context.newId, { kind: "connection_expired", recipients: [user], data, now });
  });
}

import { saveConnection } from "#records/connections";
import { findServerById, isSendableKey, lockServer, movesCredentials } from "#records/mcp-servers";
import type { McpServerRow, UserRow } from "#storage/tables";
import { type WriteAuthor, writeTransaction } from "#storage/transaction";
import { ConnectRefused } from "./fault.ts";
import type { ConnectNeeds } from "./needs.ts";

export interface GivenKey {
  readonly user: Pick<UserRow, "id" | "email">;
  /** As the user saw it. */
  readonly server: McpServerRow;
  readonly key: string;
}

/** D23. Throws `ConnectRefused`. */
export async function keepApiKey(needs: ConnectNeeds, given: GivenKey, author: WriteAuthor): Promise<void> {
  const { user, server, key } = given;
  if (!isSendableKey(key))
    throw new ConnectRefused("This cannot be a key: it is empty, too long, or holds characters that no key has.");
  const { revision } = await writeTransaction(needs, author, async (tx, trail) => {
    const present = await findServerById(tx, server.id);
    const locked = present && (await lockServer(tx, present.slug));
    // AZ-8: a key that was given for one place must not go to another.
    if (locked?.auth_type !== "proxy-api-key" || movesCredentials(server, locked)) {
      throw new ConnectRefused("The server was changed meanwhile. Open its page again.");
    }
    const { clock, newId, vault } = needs;
    const secret = { kind: "api_key", key } as const;
    await saveConnection(tx, trail, {
      user,
      server: locked,
      secret,
      operation: "connect",
      now: clock.now(),
      newId,
      vault,
    });
  });
  if (revision !== undefined) await needs.obeyed(revision);
  needs.connected(server.id, user.id);
}

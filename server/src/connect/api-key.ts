import { saveConnection } from "#records/connections";
import { lockAndCheckReset } from "#records/invitations";
import { findServerById, isSendableKey, keyHeader, lockServer, movesCredentials } from "#records/mcp-servers";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteAuthor, writeAndPublish } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { type ConnectNeeds, rejectedKey } from "./needs.ts";

export interface GivenKey {
  readonly user: Pick<UserRow, "id" | "email">;
  /** The server as shown to the user. */
  readonly server: McpServerRow;
  readonly key: string;
  /** The operation name in the audit log. */
  readonly operation: string;
}

/**
 * `kept`, unless the server rejected the key, the key cannot be sent, or the server changed since it was shown. `reason`
 * continues a sentence that starts with the server.
 */
export type KeyOutcome =
  | { readonly outcome: "kept"; readonly verified: true }
  | { readonly outcome: "kept"; readonly verified: false; readonly reason: string }
  | { readonly outcome: "refused"; readonly message: string }
  | { readonly outcome: "unsendable" | "server-changed" };

/** D23, decision 0034: tries the key before storing it, outside of any transaction. */
export async function keepApiKey(needs: ConnectNeeds, given: GivenKey, author: WriteAuthor): Promise<KeyOutcome> {
  const { user, server, key } = given;
  if (!isSendableKey(key)) return { outcome: "unsendable" };
  const startedAt = needs.clock.now();
  const trial = await needs.tryHeaders(server, keyHeader(server.auth_settings, key));
  if (trial.verdict === "refused") return { outcome: "refused", message: rejectedKey(server.name, trial.status) };
  const isKept = await writeAndPublish(needs, author, async (tx, trail) => {
    if (await lockAndCheckReset(tx, user.id, startedAt)) return false;
    const present = await findServerById(tx, server.id);
    const locked = present && (await lockServer(tx, present.slug));
    // AZ-8: a key that was entered for one URL must not be sent to another.
    if (locked?.auth_type !== "proxy-api-key" || movesCredentials(server, locked)) return false;
    const { clock, newId, vault } = needs;
    const secret = { kind: "api_key", key, serverUrl: locked.upstream_url ?? undefined } as const;
    const { operation } = given;
    await saveConnection(tx, trail, { user, server: locked, secret, operation, now: clock.now(), newId, vault });
    return true;
  });
  if (!isKept) return { outcome: "server-changed" };
  needs.connected(server.id, user.id);
  if (trial.verdict === "accepted") return { outcome: "kept", verified: true };
  return { outcome: "kept", verified: false, reason: trial.reason };
}

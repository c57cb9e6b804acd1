import {
  findConnection,
  markReconnectNeeded,
  type OAuthSecret,
  openConnection,
  renewConnection,
} from "#records/connections";
import { findServerById } from "#records/mcp-servers";
import { findUserById } from "#records/users";
import type { ConnectionRow, McpServerRow } from "#storage/tables";
import { type WriteAuthor, writeTransaction } from "#storage/transaction";
import { clientOfSource, forgetClient } from "./client.ts";
import type { ConnectNeeds } from "./needs.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { requestToken, type Token, TokenRefused, TokenUnavailable } from "./token-endpoint.ts";

const AUTHOR: WriteAuthor = { actor: { kind: "system", id: "connect", name: "connect" }, requestId: "connect" };

/**
 * OA-11: one refresh for any number of calls on any number of replicas. Its outcome is in the records: a fresh token, or
 * that only the user can help. Rejects when neither could be found out, and the connection stays as it is.
 */
export async function renew(needs: ConnectNeeds, connection: ConnectionRow): Promise<void> {
  await oneAtATime(needs, `oauth-renew ${connection.id}`, {
    async find() {
      const present = await findConnection(needs.db, connection.user_id, connection.server_id);
      return present?.version === connection.version && present.id === connection.id ? undefined : true;
    },
    async work() {
      const server = await findServerById(needs.db, connection.server_id);
      const secret = openConnection(needs.vault, connection);
      if (server && secret.kind === "oauth") await refresh(needs, connection, server, secret);
      return true;
    },
  });
}

async function refresh(
  needs: ConnectNeeds,
  connection: ConnectionRow,
  server: McpServerRow,
  secret: OAuthSecret,
): Promise<void> {
  const client = secret.clientSource && (await clientOfSource(needs, server, secret.clientSource));
  // OA-4: the refresh token is good for the client that it was given to, and for no other.
  if (!client || client.clientId !== secret.clientId || secret.refreshToken === undefined) {
    return end(needs, connection, server, "The sign-in has ended");
  }
  const { refreshToken } = secret;
  let token: Token;
  try {
    token = await requestToken(needs.egress, secret.tokenEndpoint, client, {
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      ...(connection.resource === null ? {} : { resource: connection.resource }),
    });
  } catch (error) {
    // What is no token may be a proxy's page on a bad day.
    if (!(error instanceof TokenRefused) || error.code === "invalid_answer") throw error;
    if (!FINAL.has(error.code)) throw new TokenUnavailable(error.message);
    if (error.code === "invalid_client") await forgetClient(needs, client);
    return end(needs, connection, server, `The server does not renew the sign-in. It says: ${error.message}`);
  }
  const now = needs.clock.now();
  // Before anybody uses it: a refresh token that was rotated and not kept is lost.
  await writeTransaction(needs, AUTHOR, (tx, trail) =>
    renewConnection(tx, trail, connection, {
      secret: { ...secret, accessToken: token.accessToken, refreshToken: token.refreshToken ?? refreshToken },
      expiresAt: token.expiresInMs === undefined ? null : now + token.expiresInMs,
      ...(token.scopes ? { scopes: token.scopes } : {}),
      now,
      vault: needs.vault,
    }),
  );
}

/** RFC 6749 5.2: what no repetition mends. */
const FINAL = new Set(["invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope", "invalid_target"]);

async function end(needs: ConnectNeeds, connection: ConnectionRow, server: McpServerRow, error: string): Promise<void> {
  const user = await findUserById(needs.db, connection.user_id);
  if (!user) return;
  await writeTransaction(needs, AUTHOR, (tx, trail) =>
    markReconnectNeeded(tx, trail, { ...connection, user, server }, { error, now: needs.clock.now() }),
  );
}

import { findConnection, type OAuthSecret, openConnection, renewConnection } from "#records/connections";
import { findServerById } from "#records/mcp-servers";
import { findUserById } from "#records/users";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteAuthor, writeTransaction } from "#storage/transaction";
import type { ConnectionRow } from "#storage/user-tables";
import { deleteUnknownClient, type OAuthClient, usedClient } from "./client.ts";
import { clientCredentialsToken, fitsClientCredentials, openClientCredentials } from "./client-credentials.ts";
import { endConnection } from "./end-connection.ts";
import { endOf, machineSecret } from "./machine-grant.ts";
import type { ConnectNeeds } from "./needs.ts";
import { ANSWER_MS } from "./oauth-request.ts";
import { type Lease, runOnce } from "./run-once.ts";
import { requestToken, type Token, TokenRefused, TokenUnavailable } from "./token-endpoint.ts";

const AUTHOR: WriteAuthor = { actor: { kind: "system", id: "connect", name: "connect" }, requestId: "connect" };

/**
 * OA-11: one refresh for all calls on all replicas. Stores a new token, or marks that the user must reconnect. Rejects if
 * the outcome is unknown; the connection then stays unchanged.
 */
export async function renew(needs: ConnectNeeds, connection: ConnectionRow): Promise<void> {
  await runOnce(needs, `oauth-renew ${connection.id}`, {
    async find() {
      const present = await findConnection(needs.db, connection.user_id, connection.server_id);
      return present?.version === connection.version && present.id === connection.id ? undefined : true;
    },
    async work(lease) {
      const server = await findServerById(needs.db, connection.server_id);
      const secret = openConnection(needs.vault, connection);
      if (server && secret.kind === "oauth") await refresh(needs, lease, connection, server, secret);
      return true;
    },
  });
}

/** How the next token is requested and stored. */
interface Source {
  readonly client?: OAuthClient;
  ask(): Promise<Token>;
  keep(token: Token): OAuthSecret;
}

async function refresh(
  needs: ConnectNeeds,
  lease: Lease,
  connection: ConnectionRow,
  server: McpServerRow,
  secret: OAuthSecret,
): Promise<void> {
  const source =
    secret.clientSource === "machine"
      ? await machineSource(needs, connection, server)
      : await refreshSource(needs, connection, server, secret);
  if (!source) return end(needs, connection, server, "The sign-in expired");
  let token: Token;
  // Many servers treat a reused refresh token as stolen and end the sign-in.
  lease.assertLasts(ANSWER_MS);
  try {
    token = await source.ask();
  } catch (error) {
    // An invalid response may be the error page of a proxy.
    if (!(error instanceof TokenRefused) || error.code === "invalid_answer") throw error;
    if (!FINAL.has(error.code)) throw new TokenUnavailable(error.message);
    if (error.code === "invalid_client" && source.client) await deleteUnknownClient(needs, source.client.source);
    return end(needs, connection, server, `The server did not renew the sign-in: ${error.message}`);
  }
  const now = needs.clock.now();
  // Stored before use: a rotated refresh token that is not stored is lost.
  await writeTransaction(needs, AUTHOR, (tx, trail) =>
    renewConnection(tx, trail, connection, {
      secret: source.keep(token),
      expiresAt: endOf(token, now),
      ...(token.scopes ? { scopes: token.scopes } : {}),
      now,
      vault: needs.vault,
    }),
  );
}

/** OA-4: a refresh token is valid only for the client that it was issued to. */
async function refreshSource(
  needs: ConnectNeeds,
  { resource }: ConnectionRow,
  server: McpServerRow,
  secret: OAuthSecret,
): Promise<Source | undefined> {
  const client = await usedClient(needs, server, secret);
  const { refreshToken } = secret;
  if (!client || refreshToken === undefined) return undefined;
  const fields = { grant_type: "refresh_token", refresh_token: refreshToken };
  return {
    client,
    ask: () =>
      requestToken(needs.egress, secret.tokenEndpoint, client, {
        ...fields,
        ...(resource === null ? {} : { resource }),
      }),
    keep: (token) => ({
      ...secret,
      serverUrl: secret.serverUrl ?? server.upstream_url ?? undefined,
      accessToken: token.accessToken,
      refreshToken: token.refreshToken ?? refreshToken,
    }),
  };
}

/** D24: only while the machine user's client credentials match this server. */
async function machineSource(
  needs: ConnectNeeds,
  { user_id }: ConnectionRow,
  server: McpServerRow,
): Promise<Source | undefined> {
  const user = await findUserById(needs.db, user_id);
  const own = user && openClientCredentials(needs.vault, user);
  const { upstream_url } = server;
  if (!own || upstream_url === null || !fitsClientCredentials(server, own)) return undefined;
  return {
    ask: () => clientCredentialsToken(needs.egress, { ...server, upstream_url }, own),
    keep: (token) => machineSecret(token, own, upstream_url),
  };
}

/** RFC 6749 5.2: errors that a retry does not resolve. */
const FINAL = new Set(["invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope", "invalid_target"]);

async function end(needs: ConnectNeeds, connection: ConnectionRow, server: McpServerRow, error: string): Promise<void> {
  const user = await findUserById(needs.db, connection.user_id);
  if (!user) return;
  await endConnection(needs, AUTHOR, { ...connection, user, server }, error);
}

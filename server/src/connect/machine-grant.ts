import { isDeepStrictEqual } from "node:util";
import { findConnection, type OAuthSecret, saveConnection } from "#records/connections";
import { findServerById, lockServer, movesCredentials } from "#records/mcp-servers";
import { findUserById, lockUserById } from "#records/users";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteAuthor, writeTransaction } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import {
  type ClientCredentials,
  clientCredentialsToken,
  fitsClientCredentials,
  openClientCredentials,
} from "./client-credentials.ts";
import { DiscoveryFailed } from "./fault.ts";
import type { ConnectNeeds } from "./needs.ts";
import { readDocuments } from "./prepare.ts";
import { runOnce } from "./run-once.ts";
import { type Token, TokenRefused } from "./token-endpoint.ts";

/** `impossible`: the user has no client credentials. `refused`: they gave no token for this server. */
export type MachineGrant = "granted" | "refused" | "impossible";

type OAuthServer = McpServerRow & { readonly upstream_url: string };

/**
 * D24: connects a machine user with its client credentials, once for all concurrent callers on all replicas. Rejects if the
 * authorization server is unreachable.
 */
export async function grantToMachine(needs: ConnectNeeds, userId: string, serverId: string): Promise<MachineGrant> {
  const user = await findUserById(needs.db, userId);
  const own = user && openClientCredentials(needs.vault, user);
  if (!own) return "impossible";
  try {
    const server = await fittingServer(needs, user, serverId, own);
    if (!server) return "refused";
    return await runOnce(needs, `machine-grant ${userId} ${serverId}`, {
      async find() {
        const present = await findConnection(needs.db, userId, serverId);
        return present?.kind === "oauth" && present.state === "connected" ? ("granted" as const) : undefined;
      },
      work: () => grant(needs, user, server, own),
    });
  } catch (error) {
    if (!(error instanceof TokenRefused) && !(error instanceof DiscoveryFailed)) throw error;
    needs.logger.warn({ user: user.email, serverId, reason: error.message }, "client credentials were rejected");
    return "refused";
  }
}

/** The server with its discovered token endpoint. Undefined: the credentials do not match it. */
async function fittingServer(
  needs: ConnectNeeds,
  user: UserRow,
  serverId: string,
  own: ClientCredentials,
): Promise<OAuthServer | undefined> {
  const row = await findServerById(needs.db, serverId);
  if (row?.auth_type !== "proxy-oauth" || row.upstream_url === null) return undefined;
  const server = { ...row, upstream_url: row.upstream_url };
  const isKnown = row.auth_settings.tokenUrl !== undefined || row.discovered_oauth !== null;
  const known = isKnown ? server : { ...server, discovered_oauth: await readDocuments(needs, server, authorFor(user)) };
  return fitsClientCredentials(known, own) ? known : undefined;
}

async function grant(
  needs: ConnectNeeds,
  user: UserRow,
  server: OAuthServer,
  own: ClientCredentials,
): Promise<MachineGrant> {
  const token = await clientCredentialsToken(needs.egress, server, own);
  const { clock, newId, vault } = needs;
  const { result } = await writeTransaction(needs, authorFor(user), async (tx, trail) => {
    const present = await findServerById(tx, server.id);
    const locked = present && (await lockServer(tx, present.slug));
    // AZ-8: a token for one URL must not be sent to another.
    if (!locked || movesCredentials(server, locked)) return false;
    // A token of client credentials that changed meanwhile must not be stored.
    const owner = await lockUserById(tx, user.id);
    if (!owner || !isDeepStrictEqual(openClientCredentials(needs.vault, owner), own)) return false;
    const now = clock.now();
    const secret = machineSecret(token, own, server.upstream_url);
    const given = { expiresAt: endOf(token, now), scopes: token.scopes ?? null, issuer: null };
    const making = { user, server: locked, secret, ...given, operation: "connect", now, newId, vault };
    await saveConnection(tx, trail, making);
    return true;
  });
  if (!result) return "refused";
  needs.connected(server.id, user.id);
  return "granted";
}

/** Has no refresh token: the client credentials get the next token. */
export function machineSecret(
  { accessToken }: Token,
  { clientId, tokenUrl }: ClientCredentials,
  serverUrl: string,
): OAuthSecret {
  return { kind: "oauth", accessToken, tokenEndpoint: tokenUrl, clientId, clientSource: "machine", serverUrl };
}

export function endOf({ expiresInMs }: Token, now: number): number | null {
  return expiresInMs === undefined ? null : now + expiresInMs;
}

function authorFor({ id, email }: UserRow): WriteAuthor {
  return { actor: { kind: "user", id, name: email }, requestId: "connect" };
}

import { createHash } from "node:crypto";
import type { MainDb, MainTransaction } from "#storage/database";
import type { DiscoveredOAuth, OAuthChange } from "#storage/oauth-tables";
import type { McpServerRow } from "#storage/server-tables";

/**
 * OA-4: whether tokens still come from the same authorization server and are for the same resource. A path at the same
 * origin may change, because the issuer's own document names it.
 */
export function isSameAuthority(pinned: DiscoveredOAuth, found: DiscoveredOAuth): boolean {
  return (
    pinned.issuer === found.issuer &&
    pinned.resource === found.resource &&
    originOf(pinned.authorizationEndpoint) === originOf(found.authorizationEndpoint) &&
    originOf(pinned.tokenEndpoint) === originOf(found.tokenEndpoint)
  );
}

/** Identifies what an admin reviewed, so that only that is approved. */
export function oauthChangeDigest({ found }: OAuthChange): string {
  const { issuer, resource, authorizationEndpoint, tokenEndpoint } = found;
  const named = JSON.stringify([issuer, resource, authorizationEndpoint, tokenEndpoint]);
  return createHash("sha256").update(named).digest("hex");
}

/** Whether an admin still has to decide about a change. */
export function hasPendingOAuthChange({ oauth_change: change }: McpServerRow): boolean {
  return change !== null && change !== undefined && !change.isKept;
}

/** Not published: the gateway does not read what was discovered. */
export async function saveDiscoveredOAuth(tx: MainTransaction, id: string, found: DiscoveredOAuth): Promise<void> {
  const pinned = { discovered_oauth: found, oauth_change: null };
  await tx.updateTable("mcp_servers").set(pinned).where("id", "=", id).execute();
}

export async function saveOAuthChange(tx: MainTransaction, id: string, change: OAuthChange): Promise<void> {
  await tx.updateTable("mcp_servers").set({ oauth_change: change }).where("id", "=", id).execute();
}

/**
 * Slugs of servers at other origins that get their tokens from the authorization server in `found`. If it ignores the
 * resource of a request, a token for one of the servers is valid at the others.
 */
export async function serversWithAuthority(
  db: MainDb,
  server: Pick<McpServerRow, "id" | "upstream_url">,
  found: DiscoveredOAuth,
): Promise<string[]> {
  const rows = await db
    .selectFrom("mcp_servers")
    .select(["slug", "upstream_url", "discovered_oauth"])
    .where("auth_type", "=", "proxy-oauth")
    .where("upstream_url", "is not", null)
    .where("id", "<>", server.id)
    .orderBy("slug")
    .execute();
  const own = originOf(server.upstream_url);
  const issuing = authorityOrigins(found).filter((origin) => origin !== own);
  return rows
    .filter((row) => originOf(row.upstream_url) !== own)
    .filter(({ upstream_url, discovered_oauth: pinned }) => {
      // A server without discovered settings may be its own authorization server.
      const origins = pinned ? authorityOrigins(pinned) : [originOf(upstream_url)];
      return origins.some((origin) => issuing.includes(origin));
    })
    .map(({ slug }) => slug);
}

function authorityOrigins({ issuer, authorizationEndpoint, tokenEndpoint }: DiscoveredOAuth): (string | undefined)[] {
  return [issuer, authorizationEndpoint, tokenEndpoint].map(originOf);
}

function originOf(url: string | null): string | undefined {
  return url === null ? undefined : URL.parse(url)?.origin;
}

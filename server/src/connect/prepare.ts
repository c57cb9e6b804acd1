import { findServerById, lockServer, saveDiscoveredOAuth } from "#records/mcp-servers";
import type { DiscoveredOAuth } from "#storage/oauth-tables";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteAuthor, writeTransaction } from "#storage/transaction";
import { findClient, type OAuthClient } from "./client.ts";
import { type DiscoverableServer, discoverOAuth } from "./discover.ts";
import { DiscoveryFailed, type Step, StepLog } from "./fault.ts";
import type { ConnectNeeds } from "./needs.ts";
import { DISCOVERY_MS, withDeadline } from "./oauth-request.ts";

export interface Prepared {
  readonly found: DiscoveredOAuth;
  /** Undefined: an admin must enter a client ID first. */
  readonly client: OAuthClient | undefined;
  readonly steps: readonly Step[];
}

/**
 * `admin`: an admin requested it; `admin-anew`: with a new registration. `user`: it is part of a user's sign-in
 * (Spec 4.6).
 */
export type DiscoveredFor = "admin" | "admin-anew" | "user";

/** Discovers the server's OAuth settings and finds or registers our client, outside of any transaction. */
export async function prepare(
  needs: ConnectNeeds,
  server: McpServerRow,
  author: WriteAuthor,
  wanted: DiscoveredFor,
): Promise<Prepared> {
  const log = new StepLog();
  const { upstream_url } = server;
  if (upstream_url === null) throw new DiscoveryFailed("the server has no upstream yet", []);
  const found = await discovered(needs, { ...server, upstream_url }, log);
  if (wanted === "user") refuseMovedSecret(server, found, log);
  const registeredSince = wanted === "admin-anew" ? needs.clock.now() : 0;
  const client = await findClient(needs, server, found, log, registeredSince);
  await store(needs, server, found, author);
  return { found, client, steps: log.steps };
}

/** Discovery without registration. */
export async function readDocuments(
  needs: ConnectNeeds,
  server: McpServerRow & DiscoverableServer,
  author: WriteAuthor,
): Promise<DiscoveredOAuth> {
  const found = await discovered(needs, server, new StepLog());
  await store(needs, server, found, author);
  return found;
}

async function discovered(needs: ConnectNeeds, server: DiscoverableServer, log: StepLog): Promise<DiscoveredOAuth> {
  const { readsClientDocuments, ...rest } = await discoverOAuth(
    withDeadline(needs.egress, needs.clock, DISCOVERY_MS),
    server,
    log,
  );
  // The URL of our client document is a valid client ID only with https.
  return readsClientDocuments && needs.baseUrl.startsWith("https:") ? { ...rest, readsClientDocuments } : rest;
}

/**
 * OA-4: an admin entered the secret for the authorization server known then. If the server names a different one, the
 * secret is not sent there until an admin runs discovery again.
 */
function refuseMovedSecret(server: McpServerRow, found: DiscoveredOAuth, log: StepLog): void {
  const before = server.discovered_oauth;
  if (server.sealed_client_secret === null || !before) return;
  if (before.issuer === found.issuer && before.tokenEndpoint === found.tokenEndpoint) return;
  throw log.fail(
    "whether the client secret may be sent there",
    `${found.issuer} instead of ${before.issuer}`,
    "the server names a different authorization server than before. An administrator must discover its settings again",
  );
}

async function store(
  needs: ConnectNeeds,
  server: McpServerRow,
  found: DiscoveredOAuth,
  author: WriteAuthor,
): Promise<void> {
  if (JSON.stringify(server.discovered_oauth) === JSON.stringify(found)) return;
  await writeTransaction(needs, author, async (tx, trail) => {
    const present = await findServerById(tx, server.id);
    const locked = present && (await lockServer(tx, present.slug));
    // The result belongs to the old URL if the server's URL changed.
    if (locked?.id !== server.id || locked.upstream_url !== server.upstream_url) return;
    await saveDiscoveredOAuth(tx, server.id, found);
    trail.audit({
      operation: "discoverOAuth",
      target: { kind: "mcp-server", id: server.id, name: locked.slug },
      ...(locked.discovered_oauth ? { before: locked.discovered_oauth } : {}),
      after: found,
    });
  });
}

import type { DiscoveredOAuth } from "#storage/oauth-tables";
import type { McpServerRow } from "#storage/server-tables";
import type { WriteAuthor } from "#storage/transaction";
import { findClient, type OAuthClient } from "./client.ts";
import { type DiscoverableServer, discoverOAuth } from "./discover.ts";
import { DiscoveryFailed, type Step, StepLog } from "./fault.ts";
import type { ConnectNeeds } from "./needs.ts";
import { DISCOVERY_MS, withDeadline } from "./oauth-request.ts";
import { type Judged, judgeAuthority, storeFound } from "./pin.ts";

export interface Prepared extends Judged {
  /** Undefined: an admin must enter a client ID first. */
  readonly client: OAuthClient | undefined;
  readonly steps: readonly Step[];
}

/**
 * `admin`: an admin requested it; `admin-again`: with a new registration. `user`: it is part of a user's sign-in
 * (Spec 4.6).
 */
export type DiscoveredFor = "admin" | "admin-again" | "user";

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
  const named = await discovered(needs, { ...server, upstream_url }, log);
  const seenBy = wanted === "user" ? "user" : "admin";
  const judged = await judgeAuthority(needs, server, named, { author, seenBy, log });
  const { found } = judged;
  const registeredSince = wanted === "admin-again" ? needs.clock.now() : 0;
  const client = await findClient(needs, server, found, log, registeredSince);
  if (!judged.change) await storeFound(needs, server, found, author);
  return { ...judged, client, steps: log.steps };
}

/** Discovery without registration. */
export async function readDocuments(
  needs: ConnectNeeds,
  server: McpServerRow & DiscoverableServer,
  author: WriteAuthor,
): Promise<DiscoveredOAuth> {
  const log = new StepLog();
  const named = await discovered(needs, server, log);
  const { found } = await judgeAuthority(needs, server, named, { author, seenBy: "user", log });
  await storeFound(needs, server, found, author);
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

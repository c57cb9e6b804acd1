import type { Trial } from "#connect/connect";
import type { Egress } from "#egress/egress";
import { UpstreamFault } from "#gateway/upstream/failure";
import { listUpstream } from "#gateway/upstream/handshake/list";
import type { LocalServers } from "#gateway/upstream/transport/local-servers";
import { createConcurrencyLimit } from "#lib/concurrency-limit";
import type { Logger } from "#lib/logger";
import { SingleFlight } from "#lib/single-flight";
import { findServerById, lockServer, noteSyncError, noteSyncSuccess, openSharedHeaders } from "#records/mcp-servers";
import { replaceItems, type SyncedItem } from "#records/server-items";
import { type Replaced, replaceTools, type SyncedTool } from "#records/server-tools";
import { readSettings } from "#records/settings";
import { reportHealthy, reportUnhealthy } from "#records/webhooks";
import type { McpServerRow, ServerItemKind, ServerItemRow } from "#storage/server-tables";
import { type AuditEntry, type PublishContext, type WriteTrail, writeAndPublish } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import { type DefinitionGuardsNeeds, guardItems, guardTools } from "./guard-definitions.ts";
import { type SyncableServer, tryHeaders, upstreamOf } from "./try-headers.ts";
import { type ValidItems, validItems, validTools } from "./valid-lists.ts";

export interface ServerSync {
  /**
   * Syncs the tools now. Concurrent callers share one sync. Does not throw for upstream failures. A server that requires
   * a credential is synced with that of `userId`, else of the configured sync user, else not at all.
   */
  now(serverId: string, userId?: string): Promise<{ readonly error: string | undefined }>;
  /** Like `now`, but does not share a sync that started earlier, because the lists have changed since. */
  again(serverId: string, userId?: string): Promise<{ readonly error: string | undefined }>;
  /** Syncs in the background, after the server was created or changed or a user connected to it. */
  soon(serverId: string, userId?: string): void;
  /**
   * Called when a user's credential is used. A server without a sync user is synced with the credential of its callers,
   * at most once per sync interval.
   */
  used(serverId: string, userId: string): void;
  /**
   * Resolves when each of these servers was synced, or after `timeoutMs`. Does not wait again for a server whose sync
   * failed until it is changed, so that a dead upstream does not delay every list (GW-12).
   */
  wait(servers: readonly UnsyncedServer[], timeoutMs: number, userId: string): Promise<void>;
  /** Whether the upstream accepts these headers, which are not stored yet. */
  tryHeaders(server: McpServerRow, headers: readonly string[]): Promise<Trial>;
  stop(): Promise<void>;
}

export interface UnsyncedServer {
  readonly id: string;
  readonly upstream: { readonly authType: string } | undefined;
}

/** The headers for the server at this URL. A string: there are none. */
export type HeadersOf = { readonly headers: readonly string[]; readonly url: string | undefined } | string;

export interface ServerSyncNeeds extends PublishContext {
  readonly egress: Egress;
  readonly localServers: LocalServers;
  readonly logger: Logger;
  readonly vault: Vault;
  readonly contentGuards: DefinitionGuardsNeeds["contentGuards"];
  /** This user's credential for that server. A string: there is none. */
  credentialOf(serverId: string, userId: string): HeadersOf | Promise<HeadersOf>;
}

const SYSTEM = { actor: { kind: "system", id: "sync", name: "sync" }, requestId: "sync" } as const;
const MAX_CONCURRENT_SYNCS = 8;
/** How often to check whether a used server was synced recently. */
const AGE_CHECK_INTERVAL_MS = 60_000;
const STOPPED = { error: "shutting down" };

/** `unsynced`: only if never synced; `fresh`: without sharing a running sync; `stale`: only if not synced recently. */
type SyncMode = "unsynced" | "fresh" | "stale";
type Outcome = { readonly error: string | undefined; readonly refused?: boolean };

/** Syncs upstreams' tools into the records, so that calls and lists do not fetch them. */
export function createServerSync(needs: ServerSyncNeeds): ServerSync {
  const flights = new SingleFlight<Outcome>();
  const running = new Set<Promise<Outcome>>();
  /** The last sync by server, successful or not. Lists do not wait for the same sync again. */
  const lastSync = new Map<string, string>();
  const nextAgeCheck = new Map<string, number>();
  const limitConcurrency = createConcurrencyLimit(MAX_CONCURRENT_SYNCS);
  let stopped = false;

  const sync = async (serverId: string, userId: string | undefined, mode: SyncMode | undefined) => {
    const server = await findServerById(needs.db, serverId);
    if (!server || server.upstream_url === null) return { error: "the server has no upstream" };
    if (mode === "stale" && !(await isStale(server, needs))) return { error: undefined };
    const headers = await headersFor(server, userId, needs);
    if (typeof headers === "string") return reportNoCredential(server, userId, headers, needs);
    const syncable: SyncableServer = { ...server, upstream_url: server.upstream_url };
    // A changed server is separate work, which does not wait for the old URL or credential.
    const { id, slug, upstream_url, upstream_transport, sealed_shared_headers } = server;
    const work = JSON.stringify([id, slug, upstream_url, upstream_transport, sealed_shared_headers]);
    if (mode === "unsynced" && lastSync.get(serverId) === work) return { error: undefined };
    if (mode === "fresh") await flights.underWay(work)?.catch(() => undefined);
    const outcome = flights.run(work, () =>
      limitConcurrency(() => unlessStopped(() => syncServer(syncable, headers, needs))),
    );
    const { error, refused } = await outcome.finally(() => lastSync.set(serverId, work));
    // A rejected credential says nothing about that of the next user.
    if (refused) lastSync.delete(serverId);
    return { error };
  };
  const unlessStopped = async (run: () => Promise<Outcome>) => (stopped ? STOPPED : run());
  const start = (serverId: string, userId?: string, mode?: SyncMode): Promise<Outcome> => {
    if (stopped) return Promise.resolve(STOPPED);
    const outcome: Promise<Outcome> = sync(serverId, userId, mode).finally(() => running.delete(outcome));
    running.add(outcome);
    return outcome;
  };

  return {
    now: (serverId, userId) => start(serverId, userId),
    again: (serverId, userId) => start(serverId, userId, "fresh"),
    soon(serverId, userId) {
      lastSync.delete(serverId);
      start(serverId, userId).catch((error: unknown) =>
        needs.logger.warn({ err: error, serverId }, "sync of tools failed"),
      );
    },
    used(serverId, userId) {
      const now = needs.clock.now();
      if ((nextAgeCheck.get(serverId) ?? 0) > now) return;
      nextAgeCheck.set(serverId, now + AGE_CHECK_INTERVAL_MS);
      start(serverId, userId, "stale").catch((error: unknown) =>
        needs.logger.warn({ err: error, serverId }, "sync of tools failed"),
      );
    },
    async wait(servers, timeoutMs, userId) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = needs.clock.after(timeoutMs, resolve);
      // Without a connection there is nothing to sync, so nothing to wait for.
      const startFirst = async ({ id, upstream }: UnsyncedServer) => {
        const canSync = upstream?.authType === "none" || typeof (await needs.credentialOf(id, userId)) === "object";
        if (canSync) await start(id, userId, "unsynced");
      };
      await Promise.race([promise, Promise.allSettled(servers.map(startFirst))]);
      timer.cancel();
    },
    tryHeaders: (server, headers) => tryHeaders(server, headers, needs),
    async stop() {
      stopped = true;
      await Promise.allSettled(running);
    },
  };
}

/** Servers without authentication are synced by the periodic job. */
async function isStale({ auth_type, sync_tried_at }: McpServerRow, { db, clock }: ServerSyncNeeds): Promise<boolean> {
  if (auth_type === "none") return false;
  const { tool_sync_interval_minutes: minutes } = await readSettings(db);
  return clock.now() - (sync_tried_at ?? 0) >= minutes * 60_000;
}

const NO_ACCOUNT = "No account is selected for syncing. Tools are synced when a user connects or calls the server";

/** The headers for the sync: the shared credential, or that of a user. A string is the reason why it cannot be synced. */
async function headersFor(
  server: McpServerRow,
  userId: string | undefined,
  needs: ServerSyncNeeds,
): Promise<readonly string[] | string> {
  if (server.auth_type === "none") return openSharedHeaders(needs.vault, server);
  const as = userId ?? server.sync_user_id;
  if (as === undefined || as === null) return NO_ACCOUNT;
  const credential = await needs.credentialOf(server.id, as);
  if (typeof credential === "object") {
    // AZ-8: this process may not have the server's new URL yet, and still hold the credential for the old one.
    return credential.url === server.upstream_url
      ? credential.headers
      : "The server was changed during the sync. Try again";
  }
  return userId === undefined ? "The user whose account is used to sync the tools is not connected" : NO_ACCOUNT;
}

async function reportNoCredential(
  server: McpServerRow,
  userId: string | undefined,
  message: string,
  needs: ServerSyncNeeds,
): Promise<Outcome> {
  if (userId === undefined && server.sync_user_id) await storeFailure(server, message, needs);
  return { error: message };
}

async function syncServer(
  server: SyncableServer,
  headers: readonly string[],
  needs: ServerSyncNeeds,
): Promise<Outcome> {
  try {
    const listed = await listUpstream(needs, upstreamOf(server), { headers });
    const valid = {
      tools: await guardTools(server, validTools(server, listed, needs.logger), needs),
      keepsGated: listed.gatedTools instanceof UpstreamFault,
      items: await guardAllItems(server, validItems(server, listed, needs.logger), needs),
    };
    await store(server, valid, [...listed.eras], needs);
    return { error: undefined };
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error;
    const message = error.describe(server.slug).message;
    // Stack traces are omitted, because they do not describe the upstream.
    needs.logger.warn({ server: server.slug, reason: message, cause: firstCause(error) }, "sync of tools failed");
    await storeFailure(server, message, needs);
    return { error: message, refused: error.kind === "unauthorized" };
  }
}

/** Lists include the failure for their callers, so it is published. */
async function storeFailure(server: McpServerRow, message: string, needs: ServerSyncNeeds): Promise<void> {
  const now = needs.clock.now();
  await writeAndPublish(needs, SYSTEM, async (tx, trail) => {
    const isNoted = await noteSyncError(tx, trail, server, message, now);
    if (isNoted) await reportUnhealthy(tx, trail, server, { status: "unreachable", message, now });
  });
}

/** The root cause of a failure, such as `connect ECONNREFUSED 127.0.0.1:1`. */
function firstCause(error: Error): string | undefined {
  let first: unknown = error.cause;
  while (first instanceof Error && first.cause !== undefined) first = first.cause;
  return first instanceof Error ? first.message : undefined;
}

async function guardAllItems(server: McpServerRow, items: ValidItems, needs: ServerSyncNeeds): Promise<ValidItems> {
  const guarded = new Map<ServerItemKind, readonly SyncedItem[]>();
  for (const [kind, listed] of items) guarded.set(kind, await guardItems(server, kind, listed, needs));
  return guarded;
}

interface SyncedLists {
  readonly tools: readonly SyncedTool[];
  /** The tools that need capabilities could not be read, so the stored ones stay. */
  readonly keepsGated: boolean;
  readonly items: ValidItems;
}

/** Stores nothing if the server was moved, renamed, or deleted during the sync. */
async function store(
  server: McpServerRow,
  { tools, keepsGated, items }: SyncedLists,
  eras: ("modern" | "legacy")[],
  needs: ServerSyncNeeds,
): Promise<void> {
  const at = needs.clock.now();
  await writeAndPublish(needs, SYSTEM, async (tx, trail) => {
    const present = await lockServer(tx, server.slug);
    if (present?.id !== server.id || present.upstream_url !== server.upstream_url) return;
    const marked: MarkedChange[] = [...(await replaceTools(tx, trail, present, { tools, keepsGated }, at)).marked];
    for (const [kind, listed] of items) marked.push(...(await replaceItems(tx, trail, present, kind, listed)));
    if (marked.length > 0) trail.audit(toolsChangedEntry(present, marked));
    emitHeld(trail, present, marked);
    await noteSyncSuccess(tx, trail, present, eras, at);
    await reportHealthy(tx, trail, present, "unreachable");
  });
}

/** A tool, or an item with its kind. */
type MarkedChange = Replaced["marked"][number] & Partial<Pick<ServerItemRow, "kind" | "upstream_name">>;

/** `tools.held` for new and changed definitions that callers do not see until they are reviewed. */
function emitHeld(trail: WriteTrail, { slug, name }: McpServerRow, marked: readonly MarkedChange[]): void {
  const held = marked.filter((change) => change.held);
  if (held.length === 0) return;
  const tools = held.map((one) => ({ name: one.slug || one.upstream_name, kind: one.kind ?? "tool", change: one.pin }));
  trail.emit("tools.held", { server: { slug, name }, total: held.length, tools });
}

/** GW-17: changed definitions are also in the audit log, because the list of changes may not be reviewed for days. */
function toolsChangedEntry(server: McpServerRow, marked: readonly MarkedChange[]): AuditEntry {
  const tools = marked.map(({ kind, upstream_name, slug, pin, digest, pinned_digest, blocked_by: by }) => {
    const name = slug === "" ? upstream_name : slug;
    const accepted = pinned_digest === null ? {} : { accepted_digest: pinned_digest };
    const blocked = by === null ? {} : { guard: by.guard_slug, check: by.check };
    return { tool: name, ...(kind && { kind }), change: pin, digest, ...accepted, ...blocked };
  });
  return {
    operation: "toolsChanged",
    target: { kind: "mcp-server", id: server.id, name: server.slug },
    after: { held: marked.some((change) => change.held), tools },
  };
}

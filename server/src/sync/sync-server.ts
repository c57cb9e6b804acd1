import type { Egress } from "#egress/egress";
import { UpstreamFault } from "#gateway/upstream/failure";
import { listTools } from "#gateway/upstream/list";
import type { Logger } from "#lib/logger";
import { SingleFlight } from "#lib/single-flight";
import { findServerById, noteSyncError, updateServer } from "#records/mcp-servers";
import { replaceTools, type SyncedTool } from "#records/server-tools";
import type { McpServerRow } from "#storage/tables";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import { sanitizeTool } from "./sanitize-tool.ts";

export interface ServerSync {
  /** Reads the tools now; callers at the same time share one reading. Never throws for what the upstream did. */
  now(serverId: string): Promise<{ readonly error: string | undefined }>;
  /** Reads them without anyone waiting. */
  soon(serverId: string): void;
  /** Resolves when each of these servers was read once since the start of the process, or after `timeoutMs`. */
  wait(serverIds: readonly string[], timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
}

export interface ServerSyncNeeds extends WriteContext {
  readonly egress: Egress;
  readonly logger: Logger;
  obeyed(revision: number): Promise<void>;
}

const SYSTEM = { actor: { kind: "system", id: "sync", name: "sync" }, requestId: "sync" } as const;
const MOST_AT_ONCE = 8;

/** Reads upstreams' tools into the records (design: tools are synced, not fetched per call). */
export function createServerSync(needs: ServerSyncNeeds): ServerSync {
  const flights = new SingleFlight<{ error: string | undefined }>();
  const waiting: (() => void)[] = [];
  const underWay = new Set<Promise<unknown>>();
  let running = 0;
  let stopped = false;

  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
  const now = (serverId: string) => {
    if (stopped) return Promise.resolve({ error: "shutting down" });
    const flight = flights.run(serverId, () => inTurn(() => syncServer(serverId, needs)));
    underWay.add(flight);
    void flight.finally(() => underWay.delete(flight)).catch(() => {});
    return flight;
  };
  const soon = (serverId: string) => {
    now(serverId).catch((error: unknown) => needs.logger.warn({ err: error, serverId }, "tools could not be read"));
  };

  return {
    now,
    soon,
    async wait(serverIds, timeoutMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = needs.clock.after(timeoutMs, resolve);
      await Promise.race([promise, Promise.allSettled(serverIds.map(now))]);
      timer.cancel();
    },
    async stop() {
      stopped = true;
      await Promise.allSettled(underWay);
    },
  };
}

async function syncServer(serverId: string, needs: ServerSyncNeeds): Promise<{ error: string | undefined }> {
  const server = await findServerById(needs.db, serverId);
  if (!server || server.upstream_url === null) return { error: "the server has no upstream" };
  if (server.auth_type !== "none") return { error: "its tools are read once somebody has connected to it" };
  const upstream = { url: server.upstream_url, transport: server.upstream_transport ?? "both" };
  try {
    const { tools, eras } = await listTools(needs, upstream);
    await store(server, soundTools(server, tools, needs.logger), [...eras], needs);
    return { error: undefined };
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error;
    const sentence = error.describe(server.slug).message;
    needs.logger.warn({ err: error, server: server.slug }, "tools could not be read");
    await noteSyncError(needs.db, serverId, sentence);
    return { error: sentence };
  }
}

/** Each tool by itself: a bad one is left out and said in the log; a later one of the same name or slug too. */
function soundTools(server: McpServerRow, raw: readonly string[], logger: Logger): SyncedTool[] {
  const bySlug = new Map<string, SyncedTool>();
  const names = new Set<string>();
  for (const text of raw) {
    const judged = sanitizeTool(text, server.slug.length);
    if ("refused" in judged) {
      logger.warn({ server: server.slug, reason: judged.refused }, "a tool of an upstream was left out");
    } else if (names.has(judged.tool.upstream_name) || bySlug.has(judged.tool.slug)) {
      logger.warn({ server: server.slug, tool: judged.tool.upstream_name }, "an upstream lists a tool twice");
    } else {
      names.add(judged.tool.upstream_name);
      bySlug.set(judged.tool.slug, judged.tool);
    }
  }
  return [...bySlug.values()];
}

/** Nothing is stored when the server was changed or deleted while its upstream was read. */
async function store(
  server: McpServerRow,
  tools: readonly SyncedTool[],
  eras: ("modern" | "legacy")[],
  needs: ServerSyncNeeds,
): Promise<void> {
  const at = needs.clock.now();
  const { revision } = await writeTransaction(needs, SYSTEM, async (tx, trail) => {
    const present = await findServerById(tx, server.id);
    if (!present || present.upstream_url !== server.upstream_url || present.slug !== server.slug) return;
    const changed = await replaceTools(tx, server.id, tools, at);
    await updateServer(tx, server.id, { tools_synced_at: at, sync_error: null, eras, eras_checked_at: at });
    const erasChanged = JSON.stringify(present.eras) !== JSON.stringify(eras);
    if (changed || present.tools_synced_at === null || erasChanged) trail.changed("server", server.id);
  });
  if (revision !== undefined) await needs.obeyed(revision);
}

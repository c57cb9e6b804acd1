/** What the gateway needs for the sessions of MCP clients. */
import type { SessionRecords, SessionSeal } from "#gateway/ports";
import {
  deleteMcpSubscription,
  endMcpSession,
  insertMcpSubscription,
  mcpSubscriptionsOf,
  setMcpLogLevel,
  touchMcpSubscriptions,
} from "#records/mcp-sessions";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";

const GATEWAY = { actor: { kind: "system", id: "gateway", name: "gateway" }, requestId: "gateway" } as const;

/** Tells every process what this one heard. */
export function createSessionRecords(context: WriteContext): SessionRecords {
  const { clock, db } = context;
  return {
    async ended(id) {
      await writeTransaction(context, GATEWAY, (tx, trail) => endMcpSession(tx, trail, id, clock.now()));
    },
    async setLogLevel(id, level, at) {
      await writeTransaction(context, GATEWAY, (tx, trail) => setMcpLogLevel(tx, trail, id, level, at));
    },
    async subscribed(id, { serverId, uri, asked }) {
      const row = { mcp_session_id: id, server_id: serverId, uri, asked_uri: asked };
      await writeTransaction(context, GATEWAY, (tx, trail) => insertMcpSubscription(tx, trail, row, clock.now()));
    },
    async unsubscribed(id, { serverId, uri }) {
      const place = { mcp_session_id: id, server_id: serverId, uri };
      await writeTransaction(context, GATEWAY, (tx, trail) => deleteMcpSubscription(tx, trail, place, clock.now()));
    },
    async subscriptionsOf(id) {
      const rows = await mcpSubscriptionsOf(db, id);
      return rows.map(({ server_id: serverId, uri, asked_uri: asked }) => ({ serverId, uri, asked }));
    },
    touchSubscriptions: (ids) => touchMcpSubscriptions(db, ids, clock.now()),
  };
}

/** For what stands in no table: clients keep it. */
export function presentedSeal(vault: Vault, column: "mcp-session-id" | "question-id"): SessionSeal {
  const place = { table: "", row: "", column };
  return {
    seal: (text) => vault.seal("mcp-session", place, text),
    open: (sealed) => vault.openPresented("mcp-session", place, sealed),
  };
}

/** What the gateway needs for the sessions of MCP clients. */
import type { SessionRecords, SessionSeal } from "#gateway/ports";
import { endMcpSession, setMcpLogLevel } from "#records/mcp-sessions";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";

const GATEWAY = { actor: { kind: "system", id: "gateway", name: "gateway" }, requestId: "gateway" } as const;

/** Tells every process what this one heard. */
export function createSessionRecords(context: WriteContext): SessionRecords {
  const { clock } = context;
  return {
    async ended(id) {
      await writeTransaction(context, GATEWAY, (tx, trail) => endMcpSession(tx, trail, id, clock.now()));
    },
    async setLogLevel(id, level, at) {
      await writeTransaction(context, GATEWAY, (tx, trail) => setMcpLogLevel(tx, trail, id, level, at));
    },
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

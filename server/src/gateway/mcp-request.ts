import type { RequestMessage } from "./envelope/read-request.ts";
import type { Exchange } from "./exchange.ts";
import type { McpSession } from "./sessions/sessions.ts";
import type { Principal } from "./snapshot/authenticate.ts";
import type { Scope } from "./snapshot/scope.ts";
import type { Era } from "./snapshot/shape.ts";
import type { CallTrace } from "./tracing/call-trace.ts";

/** One JSON-RPC request whose envelope passed every check. */
export interface McpRequest {
  readonly exchange: Exchange;
  readonly principal: Principal;
  readonly scope: Scope;
  readonly call: RequestMessage;
  readonly era: Era;
  /** The legacy session of the request; most requests have none (Spec 4.5). */
  readonly session: McpSession | undefined;
  /** Wall clock and monotonic clock when the body was complete. */
  readonly at: number;
  readonly startedAt: number;
  /** Undefined if the request belongs to no trace. */
  readonly trace: CallTrace | undefined;
  /** Made from the arguments of `gatehouse__call_tool`: the caller's `Mcp-Param-*` headers do not describe it. */
  readonly nested?: true;
  /** How toolkits expose the item of the request; undefined: none restricts its server. */
  readonly exposed: ExposedItem | undefined;
}

export interface ExposedItem {
  /** The toolkit's slug. */
  readonly toolkit: string;
  /** The exposed name of the tool without its prefix, if the server has another one. */
  readonly tool?: string | undefined;
  /** The slug of another toolkit that exposes something under the same name. */
  readonly toolkitConflict?: string | undefined;
}

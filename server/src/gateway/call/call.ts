import type { Edit } from "#lib/json/splice";
import type { LoggedMethod, Outcome } from "../call-log/record.ts";
import type { GatewayContext, McpRequest } from "../request.ts";
import type { CheckedCall, ServerEntry } from "../snapshot/shape.ts";
import type { Begun } from "./record.ts";

/** The destination of a resolved request. */
export interface Forwarding extends Begun {
  readonly method: LoggedMethod;
  readonly server: ServerEntry;
  /** The upstream's name of the tool or prompt, or URI of the resource; sent instead of the caller's. */
  readonly name?: string;
  readonly uri?: string;
  /** Changes to the caller's message that were decided together with the server; sorted or not. */
  readonly edits?: readonly Edit[];
  /** JSON text of `params.ref` for the upstream. */
  readonly ref?: string;
  /** `Mcp-Param-*`: alternating names and values; absent if those of the caller are used. */
  readonly paramHeaders?: readonly string[];
  /** JSON text of the result if the upstream does not know the method; absent if its error is returned. */
  readonly resultIfUnknown?: string;
}

/** How a call ends. */
export interface CallEnding {
  readonly outcome: Outcome;
  readonly body: readonly Buffer[];
  readonly error?: string | undefined;
  /** Default 200. */
  readonly status?: number | undefined;
}

/** A call as its steps use it. */
export interface Call {
  readonly request: McpRequest;
  readonly context: GatewayContext;
  readonly to: Forwarding;
  readonly checked: CheckedCall;
  /** Edits of the caller's message by the request checks. */
  requestEdits: readonly Edit[];
  readonly ended: boolean;
  send(): void;
  /** Records the call, then answers it. */
  end(ending: CallEnding): void;
  /** Its begin mark could not be written. */
  neverBegan(): void;
}

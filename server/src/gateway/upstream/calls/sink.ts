import type {
  UpstreamError,
  UpstreamNotification,
  UpstreamRequest,
  UpstreamResult,
} from "../../envelope/read-response.ts";
import type { UpstreamAddress } from "../../ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { Era } from "../../snapshot/shape.ts";
import type { UpstreamFailure } from "../failure.ts";

export interface RequestToUpstream {
  readonly method: string;
  /** `params.name` or `params.uri` as the upstream knows it; goes out as `Mcp-Name`. */
  readonly name: string | undefined;
  /** The caller's era, which is used when the upstream speaks it. */
  readonly era: Era;
  /** The caller's legacy session: only in one can an upstream ask the caller something. */
  readonly session?: McpSession | undefined;
  /** The message for an upstream of that era, under our id and our progress token. Called once per sending. */
  buildBody(era: Era, id: number, progressToken: number): Buffer;
  /** The caller's `Mcp-Param-*` headers: names and values in turn. */
  readonly paramHeaders: readonly string[];
  /** What tells the upstream of the trace: names and values in turn. */
  readonly traceHeaders?: readonly string[] | undefined;
}

/** Hears of one call: notifications, then exactly one `response` or `failed`, at once if need be. */
export interface UpstreamSink {
  notification(message: UpstreamNotification): void;
  /** The upstream asks the caller something in the middle of the call; false: the caller cannot be asked. */
  question(message: UpstreamRequest, from: UpstreamAddress): boolean;
  /** The upstream has closed its stream and wants to be asked for the rest after that time. */
  resting?(retryMs: number): void;
  /** Under our id still; `answerParts` of the envelope puts the caller's in its place. */
  response(message: UpstreamResult | UpstreamError): void;
  failed(failure: UpstreamFailure): void;
}

export interface UpstreamCallHandle {
  /** Nobody waits any more. The sink hears nothing after it. */
  cancel(): void;
  /** Back-pressure from a slow caller. */
  pause(): void;
  resume(): void;
}

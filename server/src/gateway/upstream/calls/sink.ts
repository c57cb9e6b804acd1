import type {
  UpstreamError,
  UpstreamNotification,
  UpstreamRequest,
  UpstreamResult,
} from "../../envelope/read-response.ts";
import type { UpstreamAddress } from "../../session-ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { Era } from "../../snapshot/shape.ts";
import type { UpstreamFailure } from "../failure.ts";
import type { ResponseLease } from "../limits/response-memory.ts";
import type { QuestionRecipient } from "../sessions/upstream-session.ts";
import type { OutgoingRequest } from "../transport/transport.ts";

export interface RequestToUpstream extends OutgoingRequest {
  /** The caller's era, which is used when the upstream speaks it. */
  readonly era: Era;
  /** The caller's legacy session. */
  readonly session?: McpSession | undefined;
  /** A modern caller that accepts requests of a legacy upstream; read only for legacy upstreams. */
  readonly recipient?: QuestionRecipient | undefined;
  /** Builds the message for an upstream of that era, with our id and progress token. Called once per attempt. */
  buildBody(era: Era, id: number, progressToken: number): Buffer;
}

/** Receives one call: notifications, then exactly one `response` or `failed`, possibly before `call` returns. */
export interface UpstreamSink {
  /** The memory for a large response. */
  readonly memory: ResponseLease;
  notification(message: UpstreamNotification): void;
  /** A request of the upstream to the caller during the call. False if the caller cannot receive it. */
  question(message: UpstreamRequest, from: UpstreamAddress): boolean;
  /** Called about every second while there is no response. */
  waiting?(now: number): void;
  /** The upstream closed its stream; it is resumed after this time. */
  deferred?(retryMs: number): void;
  /** Still with our id; `answerParts` of the envelope replaces it with the caller's. */
  response(message: UpstreamResult | UpstreamError): void;
  failed(failure: UpstreamFailure): void;
}

export interface UpstreamCallHandle {
  /** The caller no longer waits. The sink receives nothing more. */
  cancel(): void;
  /** Backpressure from a slow caller. */
  pause(): void;
  resume(): void;
}

import type { Edit } from "#lib/json/splice";
import { notificationParts } from "../envelope/answer.ts";
import type { UpstreamNotification, UpstreamRequest } from "../envelope/read-response.ts";
import type { EventStream, Exchange } from "../exchange.ts";
import type { GatewayContext, McpRequest } from "../request.ts";
import type { UpstreamAddress } from "../session-ports.ts";
import { wantsLog } from "../sessions/logging.ts";
import { PendingQuestions } from "../sessions/pending-questions.ts";
import { ResumableStream } from "../sessions/resumable-stream.ts";

const EVENT_STREAM = "text/event-stream";

export function acceptsEvents(exchange: Exchange): boolean {
  return exchange.header("accept")?.includes(EVENT_STREAM) ?? false;
}

/** The interface between a stream and its call. */
export interface StreamedCall {
  /** The caller reads more slowly than the upstream sends, or has caught up. */
  pauseUpstream(): void;
  resumeUpstream(): void;
  /** The response can no longer reach the caller. */
  abandon(): void;
}

/**
 * Everything that reaches the caller before the response to a call: progress, log messages and the upstream's
 * questions. The event stream opens with the first of them; a call without any gets a plain JSON response.
 */
export class AnswerStream {
  readonly #request: McpRequest;
  readonly #context: GatewayContext;
  readonly #serverId: string;
  readonly #call: StreamedCall;
  #events: EventStream | undefined;
  #questions: PendingQuestions | undefined;
  /** Bytes sent before the response. */
  bytes = 0;
  /** When something was last sent; undefined: never. */
  sentAt: number | undefined;

  constructor(request: McpRequest, context: GatewayContext, serverId: string, call: StreamedCall) {
    this.#request = request;
    this.#context = context;
    this.#serverId = serverId;
    this.#call = call;
  }

  get isOpen(): boolean {
    return this.#events !== undefined;
  }

  /** Whether a caller whose connection broke can resume the response. */
  get isResumable(): boolean {
    return this.#events instanceof ResumableStream;
  }

  notification(message: UpstreamNotification, edits?: readonly Edit[]): void {
    const parts = this.#partsForCaller(message, edits);
    if (parts) this.send(Buffer.concat(parts));
  }

  /** False if this caller cannot receive questions. */
  question(message: UpstreamRequest, from: UpstreamAddress): boolean {
    const { session } = this.#request;
    if (!session || !this.#acceptsEvents()) return false;
    this.#questions ??= new PendingQuestions({ questions: this.#context.sessions.questions }, session, this.#serverId);
    const event = this.#questions.ask(message, from);
    if (!event) return false;
    this.send(event);
    return true;
  }

  /** Does nothing for a caller that does not accept events. */
  keepAlive(): void {
    this.sentAt = this.#context.clock.monotonic();
    if (!this.#acceptsEvents()) return;
    this.#events ??= this.#open();
    this.#events.comment();
  }

  /** SEP-1699: a caller who can resume is disconnected until the upstream expects to continue. */
  defer(retryMs: number): void {
    if (!this.#context.sessions.resumable.canDefer) return;
    if (this.#acceptsEvents()) this.#events ??= this.#openResumable();
    if (this.#events instanceof ResumableStream) this.#events.disconnect(retryMs);
  }

  /** Sends the response as the last event. */
  end(answer: Buffer): void {
    this.#events?.send(answer);
    this.#events?.end();
  }

  send(event: Buffer): void {
    this.#events ??= this.#open();
    this.bytes += event.length;
    this.sentAt = this.#context.clock.monotonic();
    if (!this.#events.send(event)) this.#call.pauseUpstream();
  }

  /** Undefined if the message does not belong to this request, or the caller did not request it. */
  #partsForCaller(message: UpstreamNotification, edits?: readonly Edit[]): Buffer[] | undefined {
    const { call, era, session } = this.#request;
    if (!this.#acceptsEvents()) return undefined;
    if (message.method === "notifications/progress") {
      const token = call.params?.progressToken;
      return token && notificationParts(message, call.source.text(token), edits);
    }
    // An elicitation that began in one call can be completed during another.
    if (message.method === "notifications/elicitation/complete") return session && notificationParts(message);
    if (this.#questions && message.method !== "notifications/message") return this.#questions.about(message);
    if (message.method !== "notifications/message") return undefined;
    return era === "legacy" || wantsLog(call, message) ? notificationParts(message, undefined, edits) : undefined;
  }

  #acceptsEvents(): boolean {
    return acceptsEvents(this.#request.exchange);
  }

  #open(): EventStream {
    const resumable = this.#openResumable();
    if (resumable) return resumable;
    const stream = this.#request.exchange.openStream();
    stream.onDrain(() => this.#call.resumeUpstream());
    return stream;
  }

  /** Undefined if this caller cannot resume. */
  #openResumable(): ResumableStream | undefined {
    const { exchange, session } = this.#request;
    const stream = session && this.#context.sessions.resumable.open(exchange, session, () => this.#call.abandon());
    stream?.onDrain(() => this.#call.resumeUpstream());
    return stream;
  }
}

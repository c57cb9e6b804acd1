import type { UpstreamRequest } from "../../envelope/read-response.ts";
import { UpstreamFault } from "../failure.ts";
import type { AdmittedCall, Bulkhead } from "../limits/bulkhead.ts";
import { addressOf, type UpstreamSession } from "../sessions/upstream-session.ts";
import { MAX_PENDING_REPLIES, replyTo } from "../transport/json-rpc.ts";
import type { UpstreamSink } from "./sink.ts";

interface AskedCall extends AdmittedCall {
  readonly bulkhead: Bulkhead;
  disableIdleTimeout(): void;
  holdSession(): void;
}

/** The requests of an upstream during one call: relays them to the caller, or replies to them. */
export class CallQuestions {
  readonly #call: AskedCall;
  readonly #sink: UpstreamSink;
  #pendingReplies = 0;

  constructor(call: AskedCall, sink: UpstreamSink) {
    this.#call = call;
    this.#sink = sink;
  }

  /** On the response of the call. */
  received(message: UpstreamRequest, session: UpstreamSession): void {
    const { connection } = session;
    if (connection.era !== "legacy" || (message.method !== "ping" && this.#ask(message, session))) return;
    if (this.#pendingReplies >= MAX_PENDING_REPLIES) return;
    this.#pendingReplies++;
    void connection.notify(replyTo(message)).then(() => this.#pendingReplies--);
  }

  /**
   * Outside the response, so it is unknown which call of the session caused it. In an MCP session all calls are of one
   * client; otherwise only the answer of the right caller may be sent. False if this call does not take it.
   */
  unassigned(message: UpstreamRequest, session: UpstreamSession): boolean {
    if (session.recipient) {
      session.target.asksOutsideCalls = true;
      if (session.inFlight > 1) return false;
    }
    return this.#ask(message, session);
  }

  /** Only the total deadline applies while the caller handles the request, since a person may have to respond. */
  #ask(message: UpstreamRequest, session: UpstreamSession): boolean {
    const call = this.#call;
    if ((!session.mcpSession && !session.recipient) || call.doneAt !== undefined) return false;
    // A held call has no caller that waits, so it must not take the place of one that has.
    if (session.recipient && !call.bulkhead.canDefer(call)) {
      call.stop(TOO_MANY);
      return true;
    }
    if (!this.#sink.question(message, addressOf(session))) return false;
    // The call may have been ended because its caller has too many that wait.
    if (call.doneAt !== undefined) return true;
    call.disableIdleTimeout();
    call.bulkhead.defer(call);
    if (session.recipient) call.holdSession();
    return true;
  }
}

const TOO_MANY = new UpstreamFault(
  "busy",
  "has too many calls that wait for answers of their callers; try again later",
);

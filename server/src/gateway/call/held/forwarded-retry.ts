import type { Timer } from "#lib/clock";
import { CONNECTION_ERROR, errorBody, INTERNAL_ERROR } from "../../envelope/errors.ts";
import { withoutParams } from "../../envelope/rewrite-call.ts";
import type { EventStream } from "../../exchange.ts";
import type { GatewayContext, McpRequest } from "../../request.ts";
import { UNCOUNTED_BYTES } from "../../upstream/limits/response-memory.ts";
import { acceptsEvents } from "../answer-stream.ts";
import type { Forwarding } from "../call.ts";
import type { CallCount } from "../call-limiter.ts";
import { endCall } from "../record.ts";
import { refuseRetry } from "./refuse-retry.ts";
import { CHECK_MS, encode, type ToCaller } from "./replica-protocol.ts";
import { mailboxOf } from "./retry-token.ts";

/** Processes see messages within half a second, unless they are busy. */
const TAKE_MS = 10_000;
const KEEP_ALIVE_MS = 15_000;
const HOLDER_GONE =
  "The gateway process that held this call has stopped, so the call may be incomplete; send the request again without requestState";

/** A retry whose call another process holds: relays it there, and everything that comes back to the caller. */
export class ForwardedRetry {
  readonly #request: McpRequest;
  readonly #context: GatewayContext;
  readonly #to: Forwarding;
  readonly #userCalls: CallCount;
  readonly #replyTo: string;
  #id = "";
  #sent: Promise<unknown> = Promise.resolve();
  #process = "";
  #events: EventStream | undefined;
  #timer: Timer | undefined;
  #sentAt: number;
  #taken = false;
  #over = false;
  #closeMailbox: () => void = () => {};

  constructor(request: McpRequest, context: GatewayContext, to: Forwarding, userCalls: CallCount) {
    this.#request = request;
    this.#context = context;
    this.#to = to;
    this.#userCalls = userCalls;
    this.#replyTo = `leg-${context.heldCalls.needs.newId()}`;
    this.#sentAt = context.clock.monotonic();
  }

  start({ id, round, process }: { readonly id: string; readonly round: number; readonly process: string }): void {
    const { exchange } = this.#request;
    this.#process = process;
    this.#id = id;
    exchange.onGone(() => this.#callerGone());
    if (this.#isHolderAlive()) return this.#send(round);
    // A process that has just started may not be known yet.
    const look = this.#context.heldCalls.needs.replicas?.look() ?? Promise.resolve(false);
    const decide = () => (this.#isHolderAlive() ? this.#send(round) : this.#refuse(HOLDER_GONE));
    look.then(decide, decide);
  }

  #send(round: number): void {
    if (this.#over) return;
    const { call, exchange } = this.#request;
    const { mailboxes, replicas } = this.#context.heldCalls.needs;
    this.#closeMailbox = mailboxes.open(this.#replyTo, (text) => this.#receive(JSON.parse(text)));
    this.#check();
    const body = withoutParams(call, ["arguments"]);
    const message = {
      kind: "continue",
      id: this.#id,
      replyTo: this.#replyTo,
      process: replicas?.id ?? "",
      round,
      accept: exchange.header("accept"),
      body: body.toString("base64"),
    } as const;
    this.#sent = mailboxes
      .sendOnce(mailboxOf(this.#process), encode(message))
      .then((stored) => stored || this.#refuse(HOLDER_GONE));
  }

  #receive(message: ToCaller): void {
    if (this.#over) return;
    if (message.kind === "refused") this.#refuse(message.message);
    else if (message.kind === "taken") {
      this.#taken = true;
      this.#request.exchange.requestId = message.requestId;
    } else if (message.kind === "event") this.#stream()?.send(Buffer.from(message.data, "base64"));
    else if (message.kind === "end") {
      this.#close();
      this.#events?.end();
    } else this.#answer(message.status, message.headers, Buffer.from(message.body, "base64"));
  }

  #answer(status: number, headers: readonly string[], body: Buffer): void {
    const { exchange, call, principal } = this.#request;
    const lease = this.#context.responseMemory.lease(principal.userId);
    const fits = body.length <= UNCOUNTED_BYTES || lease.grow(body.length);
    exchange.onOver(() => lease.release());
    this.#close();
    const sent = fits ? body : errorBody(call.rawId, CONNECTION_ERROR, NO_MEMORY, { requestId: exchange.requestId });
    if (!this.#events) return exchange.answer(status, headers, [sent]);
    this.#events.send(sent);
    this.#events.end();
  }

  #stream(): EventStream | undefined {
    if (!acceptsEvents(this.#request.exchange)) return undefined;
    this.#sentAt = this.#context.clock.monotonic();
    this.#events ??= this.#request.exchange.openStream();
    return this.#events;
  }

  #isHolderAlive(): boolean {
    return this.#context.heldCalls.needs.replicas?.has(this.#process) ?? false;
  }

  #check(): void {
    const { clock } = this.#context;
    const now = clock.monotonic();
    if (this.#over) return;
    const { totalMs } = { ...this.#context.holder.current().limits.server, ...this.#to.server.limits };
    const maxMs = this.#taken ? totalMs + TAKE_MS : TAKE_MS;
    if (!this.#isHolderAlive() || now - this.#request.startedAt > maxMs) {
      this.#reportGone();
      return this.#refuse(HOLDER_GONE);
    }
    if (now - this.#sentAt >= KEEP_ALIVE_MS) this.#stream()?.comment();
    this.#timer = clock.after(CHECK_MS, () => this.#check());
  }

  #callerGone(): void {
    if (this.#over) return;
    this.#close();
    this.#reportGone();
  }

  #reportGone(): void {
    const { mailboxes } = this.#context.heldCalls.needs;
    const gone = encode({ kind: "gone", id: this.#id, replyTo: this.#replyTo });
    void this.#sent.then(() => mailboxes.sendOnce(mailboxOf(this.#process), gone));
  }

  /** If the call is recorded by the process that held it, this is the record of the request that failed. */
  #refuse(message: string): void {
    if (this.#over) return;
    this.#close();
    const { exchange, call } = this.#request;
    if (!this.#events) return refuseRetry(this.#request, this.#context, this.#to, message);
    const body = errorBody(call.rawId, INTERNAL_ERROR, message, { requestId: exchange.requestId });
    const { method, serverSlug, tool } = this.#to;
    const ending = { outcome: "denied", responseBytes: body.length, serverSlug, tool, error: message } as const;
    endCall(this.#request, this.#context, method, ending, () => {
      this.#events?.send(body);
      this.#events?.end();
    });
  }

  #close(): void {
    this.#over = true;
    this.#userCalls.release();
    this.#timer?.cancel();
    this.#closeMailbox();
  }
}

const NO_MEMORY = "The response does not fit in memory with other responses; try again later";

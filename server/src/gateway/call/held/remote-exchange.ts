import type { Clock, Timer } from "#lib/clock";
import type { BodyReader, EventStream, Exchange } from "../../exchange.ts";
import type { Replicas } from "../../session-ports.ts";
import type { MailSender } from "../../sessions/replica-mailboxes.ts";
import { CHECK_MS, encode, type ToHolder } from "./replica-protocol.ts";

export interface RemoteExchangeNeeds {
  readonly clock: Clock;
  readonly replicas: Replicas | undefined;
}

/** Notifications in transit to the other process; more are dropped, because each needs a write (GW-10). */
const MAX_PENDING_EVENTS = 16;

/** The request of a caller that is connected to another process. */
export class RemoteExchange implements Exchange {
  requestId: string;
  readonly payer: string;
  readonly method = "POST";
  readonly address: string;
  readonly target: string;
  readonly authorization: string | undefined;
  readonly #from: Extract<ToHolder, { kind: "continue" }>;
  readonly #sender: MailSender;
  readonly #needs: RemoteExchangeNeeds;
  readonly #goneListeners: (() => void)[] = [];
  readonly #overListeners: (() => void)[] = [];
  #timer: Timer | undefined;
  #pendingEvents = 0;
  #answered = false;
  over = false;
  gone = false;

  constructor(
    first: Exchange,
    from: Extract<ToHolder, { kind: "continue" }>,
    sender: MailSender,
    needs: RemoteExchangeNeeds,
  ) {
    this.requestId = first.requestId;
    this.payer = first.payer;
    this.address = first.address;
    this.target = first.target;
    this.authorization = first.authorization;
    this.#from = from;
    this.#sender = sender;
    this.#needs = needs;
    this.#check();
  }

  header(name: string): string | undefined {
    return name === "accept" ? this.#from.accept : undefined;
  }

  paramHeaders(): string[] {
    return [];
  }

  readBody(_limitBytes: number, reader: BodyReader): void {
    reader.done([]);
  }

  hold(): boolean {
    return true;
  }

  answer(status: number, headers: readonly string[], body: readonly Buffer[]): void {
    if (this.#answered) return;
    this.#answered = true;
    const answer = { kind: "answer", status, headers, body: Buffer.concat(body).toString("base64") } as const;
    void this.#sender.send(encode(answer)).finally(() => this.#end());
  }

  fail(status: number, headers: readonly string[], body: readonly Buffer[]): void {
    this.answer(status, headers, body);
  }

  openStream(): EventStream {
    /** The newest event that was not sent: if it is the last one, it is the response. */
    let unsent: Buffer | undefined;
    return {
      send: (message) => {
        unsent = this.#pendingEvents < MAX_PENDING_EVENTS ? undefined : message;
        if (!unsent) this.#sendEvent(message);
        return true;
      },
      onDrain: () => {},
      begin: () => {},
      comment: () => {},
      end: () => {
        this.#answered = true;
        if (unsent) this.#sendEvent(unsent);
        void this.#sender.send(encode({ kind: "end" })).finally(() => this.#end());
      },
    };
  }

  onGone(listener: () => void): void {
    this.#goneListeners.push(listener);
  }

  onOver(listener: () => void): void {
    this.#overListeners.push(listener);
  }

  callerGone(replyTo: string): void {
    if (replyTo !== this.#from.replyTo || this.over) return;
    this.gone = !this.#answered;
    if (this.gone) for (const listener of this.#goneListeners) listener();
    this.#end();
  }

  #sendEvent(message: Buffer): void {
    this.#pendingEvents++;
    const sent = this.#sender.send(encode({ kind: "event", data: message.toString("base64") }));
    void sent.finally(() => this.#pendingEvents--);
  }

  #check(): void {
    if (this.over) return;
    const { replicas, clock } = this.#needs;
    if (!replicas?.has(this.#from.process)) return this.callerGone(this.#from.replyTo);
    this.#timer = clock.after(CHECK_MS, () => this.#check());
  }

  #end(): void {
    if (this.over) return;
    this.over = true;
    this.#timer?.cancel();
    for (const listener of this.#overListeners) listener();
  }
}

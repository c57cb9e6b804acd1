import type { EventStream, Exchange } from "../exchange.ts";
import type { Principal } from "../snapshot/authenticate.ts";
import type { ListKind } from "../snapshot/list-kinds.ts";
import type { Scope } from "../snapshot/scope.ts";
import type { ViewWatchers, Watcher } from "./view-watchers.ts";

export interface CallerStreamNeeds {
  readonly exchange: Exchange;
  readonly principal: Principal;
  readonly scope: Scope;
  readonly watchers: ViewWatchers;
  /** What is sent when a list of the caller's has changed; of those that are missing they do not want to know. */
  readonly listChanged: ReadonlyMap<ListKind, Buffer>;
  /** Sent before a graceful end. */
  readonly farewell: Buffer | undefined;
}

/** A stream on which a caller hears of changes, for as long as they read it and may. */
export class CallerStream implements Watcher {
  readonly principal: Principal;
  readonly authorization: string | undefined;
  readonly scope: Scope;
  readonly #needs: CallerStreamNeeds;
  #stream: EventStream | undefined;
  #stalled = false;
  /** By address, what waits until the stream is open, or the caller has read what went before: the newest counts. */
  readonly #updates = new Map<string, Buffer>();

  constructor(needs: CallerStreamNeeds) {
    this.principal = needs.principal;
    this.authorization = needs.exchange.authorization;
    this.scope = needs.scope;
    this.#needs = needs;
  }

  /** False: there are too many; nothing was answered. `greet` writes what comes first. */
  open(greet: (stream: EventStream) => void): boolean {
    const { exchange, watchers } = this.#needs;
    if (!watchers.add(this)) return false;
    exchange.onOver(() => watchers.remove(this));
    const stream = exchange.openStream();
    stream.onDrain(() => this.#drained());
    this.#stream = stream;
    greet(stream);
    this.#drained();
    return true;
  }

  listChanged(kind: ListKind): void {
    const message = this.#needs.listChanged.get(kind);
    if (message) this.#send(message);
  }

  /** One resource may change without end: the caller's reading is the measure. */
  resourceUpdated(uri: string, message: Buffer): void {
    if (this.#stalled || !this.#stream) this.#updates.set(uri, message);
    else this.#send(message);
  }

  /** False: the caller does not read, and so would not answer; nor does it hear what it missed. */
  ask(question: Buffer): boolean {
    if (this.#stalled || !this.#stream) return false;
    this.#send(question);
    return true;
  }

  #drained(): void {
    this.#stalled = false;
    for (const [uri, message] of this.#updates) {
      if (this.#stalled) return;
      this.#updates.delete(uri);
      this.#send(message);
    }
  }

  /** Who has not read since the last one does not listen: they may come back and ask for the lists. */
  keepAlive(): void {
    if (this.#stalled) this.close();
    else this.#stream?.comment();
  }

  end(): void {
    if (this.#needs.farewell) this.#send(this.#needs.farewell);
    this.#stream?.end();
  }

  close(): void {
    this.#needs.watchers.remove(this);
    this.end();
  }

  #send(message: Buffer): void {
    if (this.#stream && !this.#stream.send(message)) this.#stalled = true;
  }
}

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
  /** The message for each kind of changed list; the caller does not want notifications for missing kinds. */
  readonly listChanged: ReadonlyMap<ListKind, Buffer>;
  /** The message for a subscribed resource that may have changed while there was no stream; absent: there are none. */
  readonly resourceUpdated?: (uri: string) => Buffer;
  /** Sent before a graceful end. */
  readonly closingMessage: Buffer | undefined;
}

/** A stream that notifies a caller of changes, while the caller reads it and has access. */
export class CallerStream implements Watcher {
  readonly id: string;
  readonly principal: Principal;
  readonly authorization: string | undefined;
  readonly scope: Scope;
  readonly #needs: CallerStreamNeeds;
  #stream: EventStream | undefined;
  #stalled = false;
  #subscribed: readonly string[] = [];
  /**
   * By URI, updates that wait until the stream is open or the caller has read earlier messages. The newest replaces
   * older ones.
   */
  readonly #updates = new Map<string, Buffer>();

  constructor(needs: CallerStreamNeeds) {
    this.id = needs.exchange.requestId;
    this.principal = needs.principal;
    this.authorization = needs.exchange.authorization;
    this.scope = needs.scope;
    this.#needs = needs;
  }

  get subscribed(): readonly string[] {
    return this.#subscribed;
  }

  /** False if there are too many streams; nothing was answered. `greet` writes the first events. */
  open(greet: (stream: EventStream) => void, subscribed: readonly string[] = []): boolean {
    const { exchange, watchers } = this.#needs;
    this.#subscribed = subscribed;
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

  mayHaveMissed(uri: string): void {
    const message = this.#needs.resourceUpdated?.(uri);
    if (message) this.resourceUpdated(uri, message);
  }

  /** A resource can change endlessly, so updates are sent only as fast as the caller reads. */
  resourceUpdated(uri: string, message: Buffer): void {
    if (this.#stalled || !this.#stream) this.#updates.set(uri, message);
    else this.#send(message);
  }

  /** False if the caller does not read and so would not respond. */
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

  /** Ends the stream of a caller who has not read since the last comment. The caller can reconnect and list again. */
  keepAlive(): void {
    if (this.#stalled) this.close();
    else this.#stream?.comment();
  }

  end(): void {
    if (this.#needs.closingMessage) this.#send(this.#needs.closingMessage);
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

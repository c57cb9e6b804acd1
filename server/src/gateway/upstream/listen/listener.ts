/**
 * Listens to the notifications of an upstream about its lists or about some resources, over any transport and in both
 * eras. The `NotificationSource` decides where the notifications come from.
 */
import { readResponse, type UpstreamMessage } from "../../envelope/read-response.ts";
import type { UpstreamCredential } from "../../ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import { LIST_KINDS, type ListKind } from "../../snapshot/list-kinds.ts";
import type { Era, ServerEntry, UpstreamEntry } from "../../snapshot/shape.ts";
import { MODERN_META } from "../handshake/handshake.ts";
import { type ExchangeLimits, streamRefusal } from "../transport/exchange.ts";
import { cancellation, jsonRpc } from "../transport/json-rpc.ts";
import type { InFlightRequest, OutgoingRequest, TransportCall, UpstreamConnection } from "../transport/transport.ts";
import { type ListNotification, readListNotification } from "./list-notification.ts";
import type { NotificationSource } from "./notification-source.ts";

export interface ListenTo {
  readonly server: ServerEntry;
  readonly entry: UpstreamEntry;
  readonly era: Era;
  /** URIs of resources; undefined: listens to list changes. */
  readonly resources?: readonly string[];
  /** The user and their credential; undefined when the server needs none. */
  readonly userId?: string;
  readonly credential?: UpstreamCredential | undefined;
  /** The session of a legacy caller that subscribes to resources. */
  readonly session?: McpSession | undefined;
}

export interface ListenerEvents {
  /** Changes are received from now on. */
  opened(): void;
  changed(kind: ListKind): void;
  updated?(uri: string): void;
  /** Called once, unless the listener was closed. `never`: this upstream sends no notifications. */
  ended(why: "never" | "broken"): void;
}

export interface UpstreamListener {
  close(): void;
  /** Unsubscribes from one resource and keeps the others. */
  forget?(uri: string): void;
}

/** Streams of notifications are mostly silent; one that broke unnoticed is opened again after this time. */
const LIMITS: ExchangeLimits = { idleMs: 60 * 60 * 1000, maxBytes: 1024 * 1024 };
const METHOD = "subscriptions/listen";
const REQUEST: OutgoingRequest = { method: METHOD, name: undefined, paramHeaders: [] };

/** `openSource` resolves to undefined when the upstream speaks none of its transports. */
export function listenToUpstream(
  to: Pick<ListenTo, "resources" | "credential">,
  openSource: () => Promise<NotificationSource | undefined>,
  events: ListenerEvents,
): UpstreamListener {
  const listener = new Listener(to, openSource, events);
  listener.open();
  return listener;
}

class Listener implements UpstreamListener {
  readonly #resources: readonly string[] | undefined;
  readonly #credential: UpstreamCredential | undefined;
  readonly #openSource: () => Promise<NotificationSource | undefined>;
  readonly #events: ListenerEvents;
  #source: NotificationSource | undefined;
  #unregister: (() => void) | undefined;
  #stream: ModernStream | undefined;
  #closed = false;

  constructor(
    to: Pick<ListenTo, "resources" | "credential">,
    openSource: () => Promise<NotificationSource | undefined>,
    events: ListenerEvents,
  ) {
    this.#resources = to.resources;
    this.#credential = to.credential;
    this.#openSource = openSource;
    this.#events = events;
  }

  open(): void {
    this.#start().catch(() => this.#end("broken"));
  }

  close(): void {
    this.#closed = true;
    this.#unregister?.();
    this.#stream?.close();
    this.#source?.release();
  }

  forget(uri: string): void {
    this.#source?.unsubscribe(uri);
  }

  async #start(): Promise<void> {
    const source = await this.#openSource();
    this.#source = source;
    if (this.#closed) return source?.release();
    if (!source?.offers(this.#resources)) return this.#end("never");
    this.#unregister = source.listen({
      received: (notification) => this.#received(notification),
      reopened: () => this.#reportAllUpdated(),
      ended: (why) => this.#end(why),
    });
    if (source.connection.era === "modern") return this.#openStream(source.connection);
    for (const uri of this.#resources ?? []) if (!(await source.subscribe(uri))) return this.#end("never");
    if (!this.#closed) this.#events.opened();
  }

  #openStream(connection: UpstreamConnection): void {
    const events = {
      received: (notification: ListNotification) => this.#received(notification),
      ended: (why: "never" | "broken") => this.#end(why),
    };
    this.#stream = new ModernStream(connection, this.#credential, events);
    this.#stream.open(this.#resources);
    if (this.#closed) this.#stream.close();
  }

  #received({ changed, updated, granted }: ListNotification): void {
    if (this.#closed) return;
    if (changed) this.#events.changed(changed);
    if (updated !== undefined) this.#events.updated?.(updated);
    if (granted) coversRequest(granted, this.#resources) ? this.#events.opened() : this.#end("never");
  }

  /** Updates may have been missed while the stream was broken. */
  #reportAllUpdated(): void {
    for (const uri of this.#resources ?? []) this.#events.updated?.(uri);
  }

  #end(why: "never" | "broken"): void {
    if (this.#closed) return;
    this.close();
    this.#events.ended(why);
  }
}

interface ModernStreamEvents {
  received(notification: ListNotification): void;
  ended(why: "never" | "broken"): void;
}

/** A `subscriptions/listen` request. Modern upstreams send notifications only on its response, which ends the stream. */
class ModernStream implements TransportCall {
  readonly id: number;
  readonly request = REQUEST;
  readonly isLongLived = true;
  readonly limits = LIMITS;
  readonly credential: UpstreamCredential | undefined;
  readonly #connection: UpstreamConnection;
  readonly #events: ModernStreamEvents;
  #sent: InFlightRequest | undefined;

  constructor(connection: UpstreamConnection, credential: UpstreamCredential | undefined, events: ModernStreamEvents) {
    this.id = connection.nextId();
    this.credential = credential;
    this.#connection = connection;
    this.#events = events;
  }

  open(resources: readonly string[] | undefined): void {
    this.#sent = this.#connection.send(listenBody(this.id, resources), this);
  }

  close(): void {
    if (!this.#sent || this.#sent.ended) return;
    this.#sent.abort();
    if (this.#connection.cancelsByNotification) void this.#connection.notify(cancellation(this.id));
  }

  event(data: Buffer): void {
    this.message(readResponse(data));
  }

  message(message: UpstreamMessage): void {
    if (message.kind === "error") return this.#events.ended("never");
    if (message.kind === "result") return this.#events.ended("broken");
    const notification = message.kind === "notification" ? readListNotification(message) : undefined;
    if (!notification) return;
    const { granted, subscription } = notification;
    if (granted && String(subscription) !== String(this.id)) this.#events.ended("never");
    else this.#events.received(notification);
  }

  /** Any response but a stream means that there is none. */
  answer(status: number): void {
    this.#events.ended(streamRefusal(status));
  }

  streamEnd(): void {
    this.#events.ended("broken");
  }

  fault(): void {
    this.#events.ended("broken");
  }
}

/** Whether the upstream agreed to what was requested. `resources`: URIs; undefined: list changes. */
function coversRequest(granted: Readonly<Record<string, unknown>>, resources: readonly string[] | undefined): boolean {
  const { resourceSubscriptions: grantedResources } = granted;
  if (!resources) return LIST_KINDS.some((kind) => granted[`${kind}ListChanged`] === true);
  return Array.isArray(grantedResources) && resources.every((uri) => grantedResources.includes(uri));
}

function listenBody(id: number, resources?: readonly string[]): Buffer {
  const lists = Object.fromEntries(LIST_KINDS.map((kind) => [`${kind}ListChanged`, true]));
  const notifications = resources ? { resourceSubscriptions: resources } : lists;
  return jsonRpc({ id, method: METHOD, params: { notifications, _meta: MODERN_META } });
}

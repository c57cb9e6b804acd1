/**
 * A stream on which an upstream says by itself what has changed, lists or some resources: `subscriptions/listen` of a
 * modern one, the GET stream of a session of its own of a legacy one. Over streamable HTTP; pipes have a file of their own.
 */
import { isObject } from "#lib/is-object";
import { readResponse, type UpstreamNotification, type UpstreamRequest } from "../../envelope/read-response.ts";
import type { UpstreamCredential } from "../../ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import { LIST_KINDS, type ListKind } from "../../snapshot/list-kinds.ts";
import type { Era, ServerEntry, UpstreamEntry } from "../../snapshot/shape.ts";
import {
  type Capabilities,
  type Endpoint,
  endLegacySession,
  MODERN_META,
  MODERN_VERSION,
  openLegacySession,
  requestOptions,
} from "../handshake/handshake.ts";
import { answerTo, MAX_ANSWERS_UNDER_WAY } from "../transport/channel.ts";
import { type Exchange, type ExchangeHandler, startExchange } from "../transport/exchange.ts";
import { legacyHeaders, modernHeaders, modernRequestHeaders } from "../transport/headers.ts";
import { jsonRpc } from "../transport/json-rpc.ts";
import { sendRequest } from "../transport/request.ts";
import { readListNotification } from "./list-notification.ts";

export interface ListenTo {
  readonly server: ServerEntry;
  readonly entry: UpstreamEntry;
  readonly era: Era;
  /** Addresses of resources to hear of; undefined: of lists. */
  readonly resources?: readonly string[];
  /** Whose, and what they show; undefined: nothing is needed. */
  readonly userId?: string;
  readonly credential?: UpstreamCredential | undefined;
  /** Whose resources they are, where a legacy caller wants to hear of some. */
  readonly session?: McpSession | undefined;
}

export interface ListenerEvents {
  /** From here on changes are heard. */
  opened(): void;
  changed(kind: ListKind): void;
  updated?(uri: string): void;
  /** Told once, unless it was closed. `never`: this upstream says nothing by itself. */
  ended(why: "never" | "broken"): void;
}

export interface UpstreamListener {
  close(): void;
  /** Of this resource nothing more is to be heard; the others go on. */
  forget?(uri: string): void;
}

/** `unspoken`: not even the handshake is, over this transport. */
export interface HttpListenerEvents extends Omit<ListenerEvents, "ended"> {
  ended(why: "never" | "broken" | "unspoken"): void;
}

/** Silence is the rule here; a stream that died unnoticed is opened anew after this long. */
const LIMITS = { idleMs: 60 * 60 * 1000, maxBytes: 1024 * 1024 };
const METHOD = "subscriptions/listen";

export function listenToUpstream(endpoint: Endpoint, to: ListenTo, events: HttpListenerEvents): UpstreamListener {
  const Listens = to.era === "modern" ? ModernListener : LegacyListener;
  const listener = new Listens(endpoint, to.resources, events);
  listener.open();
  return listener;
}

/** Once it is known how; until then there is nothing to hear, and closing it makes that the end of it. */
export function listenLater(events: ListenerEvents, findOut: () => Promise<() => UpstreamListener>): UpstreamListener {
  let listener: UpstreamListener | undefined;
  let closed = false;
  findOut().then(
    (listen) => {
      if (!closed) listener = listen();
    },
    () => closed || events.ended("broken"),
  );
  return {
    close() {
      closed = true;
      listener?.close();
    },
    forget: (uri) => listener?.forget?.(uri),
  };
}

abstract class Listener implements ExchangeHandler, UpstreamListener {
  protected readonly endpoint: Endpoint;
  protected readonly resources: readonly string[] | undefined;
  protected readonly events: HttpListenerEvents;
  protected over = false;
  #exchange: Exchange | undefined;

  constructor(endpoint: Endpoint, resources: readonly string[] | undefined, events: HttpListenerEvents) {
    this.endpoint = endpoint;
    this.resources = resources;
    this.events = events;
  }

  abstract open(): void;
  abstract event(data: Buffer): void;

  protected send(message: Parameters<typeof startExchange>[1]): void {
    if (this.over) return;
    try {
      this.#exchange = startExchange(this.endpoint.wire(), message, LIMITS, this);
      if (this.over) this.#exchange.abort();
    } catch {
      this.end("broken");
    }
  }

  /** Anything but a stream: it has none. What may be another tomorrow is asked again sooner. */
  answer(status: number): void {
    this.end(status >= 500 || status === 429 || status === 408 ? "broken" : "never");
  }

  streamEnd(): void {
    this.end("broken");
  }

  fault(): void {
    this.end("broken");
  }

  close(): void {
    this.over = true;
    this.#exchange?.abort();
  }

  protected notified(message: UpstreamNotification): void {
    const news = readListNotification(message);
    if (news?.changed) this.events.changed(news.changed);
    if (news?.updated !== undefined) this.events.updated?.(news.updated);
  }

  protected end(why: "never" | "broken" | "unspoken"): void {
    if (this.over) return;
    this.close();
    this.events.ended(why);
  }
}

class ModernListener extends Listener {
  readonly #id: number;

  constructor(endpoint: Endpoint, resources: readonly string[] | undefined, events: HttpListenerEvents) {
    super(endpoint, resources, events);
    this.#id = endpoint.nextId();
  }

  open(): void {
    const { path, extraHeaders } = this.endpoint;
    const body = listenBody(this.#id, this.resources);
    const headers = [...modernHeaders(MODERN_VERSION), ...extraHeaders];
    this.send({ method: "POST", path, headers, ownHeaders: modernRequestHeaders(METHOD, undefined, []), body });
  }

  event(data: Buffer): void {
    const message = readResponse(data);
    if (message.kind === "error") return this.end("never");
    if (message.kind !== "notification") return;
    const { granted, subscription } = readListNotification(message) ?? {};
    if (!granted) this.notified(message);
    else if (subscription === this.#id && isEnough(granted, this.resources)) this.events.opened();
    else this.end("never");
  }
}

/** What is granted to us may be nothing. `wanted`: addresses of resources; undefined: lists. */
export function isEnough(granted: Readonly<Record<string, unknown>>, wanted: readonly string[] | undefined): boolean {
  const { resourceSubscriptions: resources } = granted;
  if (!wanted) return LIST_KINDS.some((kind) => granted[`${kind}ListChanged`] === true);
  return Array.isArray(resources) && wanted.every((uri) => resources.includes(uri));
}

/** `resources`: addresses to hear of; undefined: lists. */
export function listenBody(id: number, resources?: readonly string[]): Buffer {
  const lists = Object.fromEntries(LIST_KINDS.map((kind) => [`${kind}ListChanged`, true]));
  const notifications = resources ? { resourceSubscriptions: resources } : lists;
  return jsonRpc({ id, method: METHOD, params: { notifications, _meta: MODERN_META } });
}

class LegacyListener extends Listener {
  #headers: readonly string[] | undefined;
  #answering = 0;

  open(): void {
    this.#openSession().catch(() => this.end("broken"));
  }

  async #openSession(): Promise<void> {
    const session = await openLegacySession(this.endpoint);
    if (!session) return this.end("unspoken");
    if (session.sessionId !== undefined) {
      this.#headers = [...legacyHeaders(session.version, session.sessionId), ...this.endpoint.extraHeaders];
    }
    if (this.over) return this.#endSession();
    const { resources } = this;
    const offered = resources ? letsSubscribe(session.capabilities) : saysWhenListsChange(session.capabilities);
    if (!this.#headers || !offered) return this.end("never");
    this.send({ method: "GET", path: this.endpoint.path, headers: this.#headers, body: null });
    for (const uri of resources ?? [])
      if (!(await this.#sendRequest(this.#headers, "resources/subscribe", uri))) return this.end("never");
    if (!this.over) this.events.opened();
  }

  forget(uri: string): void {
    if (this.#headers) this.#sendRequest(this.#headers, "resources/unsubscribe", uri).catch(() => undefined);
  }

  async #sendRequest(headers: readonly string[], method: string, uri: string): Promise<boolean> {
    const id = this.endpoint.nextId();
    const body = jsonRpc({ id, method, params: { uri } });
    const message = { method: "POST", path: this.endpoint.path, headers, body } as const;
    return (
      (await sendRequest(this.endpoint.wire(), message, requestOptions(this.endpoint, id))).response?.result !==
      undefined
    );
  }

  event(data: Buffer): void {
    const message = readResponse(data);
    if (message.kind === "request") this.#answer(message);
    else if (message.kind === "notification") this.notified(message);
  }

  override close(): void {
    super.close();
    this.#endSession();
  }

  #answer(request: UpstreamRequest): void {
    if (!this.#headers || this.#answering >= MAX_ANSWERS_UNDER_WAY) return;
    const message = {
      method: "POST",
      path: this.endpoint.path,
      headers: this.#headers,
      body: answerTo(request),
    } as const;
    this.#answering++;
    const answered = () => void this.#answering--;
    sendRequest(this.endpoint.wire(), message, requestOptions(this.endpoint, undefined)).then(answered, answered);
  }

  #endSession(): void {
    const headers = this.#headers;
    this.#headers = undefined;
    if (headers) void endLegacySession(this.endpoint, headers).catch(() => undefined);
  }
}

export function letsSubscribe(capabilities: Capabilities): boolean {
  return isObject(capabilities?.resources) && capabilities.resources.subscribe === true;
}

export function saysWhenListsChange(capabilities: Capabilities): boolean {
  return LIST_KINDS.some((kind) => {
    const offered = capabilities?.[kind];
    return isObject(offered) && offered.listChanged === true;
  });
}

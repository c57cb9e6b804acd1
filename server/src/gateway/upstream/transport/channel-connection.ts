import type { Clock } from "#lib/clock";
import type { Era } from "../../snapshot/shape.ts";
import { requestOverChannel } from "../handshake/channel-handshake.ts";
import { type Capabilities, HANDSHAKE_MS, MODERN_META } from "../handshake/handshake.ts";
import type { Channel, ChannelRequest } from "./channel.ts";
import { jsonRpc } from "./json-rpc.ts";
import type { Reply } from "./request.ts";
import type { SharedSubscriptions } from "./shared-subscriptions.ts";
import type {
  ConnectionOwner,
  NotificationListener,
  RequestLimits,
  Transport,
  TransportCall,
  UpstreamConnection,
} from "./transport.ts";

/** A connection over a channel, on which all messages share one stream. */
export class ChannelConnection implements UpstreamConnection {
  readonly transport: Transport;
  readonly hadHandshake = true;
  readonly canListen = true;
  readonly cancelsByNotification = true;
  readonly version = undefined;
  readonly sessionId = undefined;
  readonly nextId: () => number;
  readonly #channel: Channel;
  readonly #clock: Clock;

  constructor(transport: Transport, channel: Channel, clock: Clock, nextId: () => number) {
    this.transport = transport;
    this.nextId = nextId;
    this.#channel = channel;
    this.#clock = clock;
  }

  get era(): Era {
    return this.#channel.era;
  }

  get isOpen(): boolean {
    return this.#channel.isOpen;
  }

  get hasListeners(): boolean {
    return this.#channel.hasListeners;
  }

  get capabilities(): Capabilities {
    return this.#channel.capabilities;
  }

  get instructions(): string | undefined {
    return this.#channel.instructions;
  }

  get supportsLogging(): boolean {
    return this.#channel.capabilities?.logging !== undefined;
  }

  get postPath(): string | undefined {
    return this.#channel.postPath;
  }

  get subscriptions(): SharedSubscriptions {
    return this.#channel.subscriptions;
  }

  send(body: Buffer, call: TransportCall): ChannelRequest {
    const request = this.#channel.request(call.id, body, call);
    if (call.isLongLived) request.disableIdleTimeout();
    return request;
  }

  request(method: string, params: Readonly<Record<string, unknown>>, limits: RequestLimits = {}): Promise<Reply> {
    const id = this.nextId();
    const meta = this.era === "modern" ? { _meta: MODERN_META } : {};
    const body = jsonRpc({ id, method, params: { ...params, ...meta } });
    return requestOverChannel(this.#channel, this.#clock, id, body, limits.deadlineMs ?? HANDSHAKE_MS);
  }

  notify(body: Buffer): Promise<void> {
    return this.#channel.notify(body);
  }

  listen(listener: NotificationListener): () => void {
    return this.#channel.listen(listener);
  }

  assign({ hasOneClient, acceptsQuestions, unclaimed, onEnd }: ConnectionOwner): void {
    this.#channel.hasOneClient = hasOneClient;
    this.#channel.acceptsQuestions = acceptsQuestions;
    this.#channel.unclaimed = unclaimed;
    this.#channel.onEnd = onEnd;
  }

  async close(): Promise<void> {
    this.#channel.close();
  }
}

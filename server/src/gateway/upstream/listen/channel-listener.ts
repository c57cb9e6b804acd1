/** Hears what an upstream says by itself over a shared pipe: that of HTTP+SSE, or of a local server. */
import type { Clock } from "#lib/clock";
import { requestOverChannel } from "../handshake/channel-handshake.ts";
import { HANDSHAKE_MS } from "../handshake/handshake.ts";
import { type Channel, cancellation } from "../transport/channel.ts";
import { jsonRpc } from "../transport/json-rpc.ts";
import { type ListNotification, readListNotification } from "./list-notification.ts";
import {
  isEnough,
  type ListenerEvents,
  letsSubscribe,
  listenBody,
  saysWhenListsChange,
  type UpstreamListener,
} from "./listener.ts";

export interface ChannelToHear {
  readonly open: () => Promise<Channel | undefined>;
  /** Opened for this listener alone, and so closed with it. */
  readonly own: boolean;
  /** Addresses of resources to hear of; undefined: of lists. */
  readonly resources: readonly string[] | undefined;
  readonly clock: Clock;
  readonly nextId: () => number;
}

export function hearChannel(to: ChannelToHear, events: ListenerEvents): UpstreamListener {
  const listener = new ChannelListener(to, events);
  listener.open();
  return listener;
}

class ChannelListener implements UpstreamListener {
  readonly #to: ChannelToHear;
  readonly #events: ListenerEvents;
  /** What was subscribed to for this listener. */
  readonly #held = new Set<string>();
  #channel: Channel | undefined;
  #leave: (() => void) | undefined;
  #withdraw: (() => void) | undefined;
  #over = false;

  constructor(to: ChannelToHear, events: ListenerEvents) {
    this.#to = to;
    this.#events = events;
  }

  open(): void {
    this.#hear().catch(() => this.#end("broken"));
  }

  close(): void {
    this.#over = true;
    this.#leave?.();
    this.#withdraw?.();
    for (const uri of [...this.#held]) this.forget(uri);
    if (this.#to.own) this.#channel?.close();
  }

  forget(uri: string): void {
    const channel = this.#channel;
    if (!channel || !this.#held.delete(uri)) return;
    channel.subscriptions.delete(uri, () => this.#sendRequest(channel, "resources/unsubscribe", uri));
  }

  async #hear(): Promise<void> {
    const { open, resources } = this.#to;
    const channel = await open();
    this.#channel = channel;
    if (this.#over) return this.close();
    if (!channel) return this.#end("never");
    const offers = resources ? letsSubscribe : saysWhenListsChange;
    if (!offers(channel.capabilities)) return this.#end("never");
    this.#leave = channel.listen({ heard: (news) => this.#heard(news), ended: () => this.#end("broken") });
    if (channel.era === "modern") return this.#listen(channel);
    for (const uri of resources ?? []) if (!(await this.#subscribe(channel, uri))) return this.#end("never");
    if (!this.#over) this.#events.opened();
  }

  async #subscribe(channel: Channel, uri: string): Promise<boolean> {
    const sendRequest = () => this.#sendRequest(channel, "resources/subscribe", uri);
    const taken = await channel.subscriptions.add(uri, sendRequest);
    if (taken) this.#held.add(uri);
    if (this.#over) this.forget(uri);
    return taken;
  }

  async #sendRequest(channel: Channel, method: string, uri: string): Promise<boolean> {
    const { clock, nextId } = this.#to;
    const id = nextId();
    const { response } = await requestOverChannel(
      channel,
      clock,
      id,
      jsonRpc({ id, method, params: { uri } }),
      HANDSHAKE_MS,
    );
    return response?.result !== undefined;
  }

  /** A server of that era says nothing unless it is asked to; the answer is the end. */
  #listen(channel: Channel): void {
    const id = this.#to.nextId();
    const request = channel.request(id, listenBody(id, this.#to.resources), {
      message: (message) => {
        const news = message.kind === "notification" ? readListNotification(message) : undefined;
        if (news) this.#heard(news);
        else if (message.kind !== "notification") this.#end(message.kind === "result" ? "broken" : "never");
      },
      fault: () => this.#end("broken"),
    });
    request.disableIdleTimeout();
    this.#withdraw = () => {
      if (request.ended) return;
      request.abort();
      void channel.notify(cancellation(id));
    };
  }

  #heard({ changed, updated, granted }: ListNotification): void {
    if (this.#over) return;
    if (changed) this.#events.changed(changed);
    if (updated !== undefined) this.#events.updated?.(updated);
    if (granted) isEnough(granted, this.#to.resources) ? this.#events.opened() : this.#end("never");
  }

  #end(why: "never" | "broken"): void {
    if (this.#over) return;
    this.close();
    this.#events.ended(why);
  }
}

/** Hears what an upstream says of its lists over a shared pipe: that of HTTP+SSE, or of a local server. */
import { type Channel, cancellation } from "./channel.ts";
import { type ListenerEvents, listenBody, saysWhenListsChange, type UpstreamListener } from "./listener.ts";

export interface ChannelToHear {
  readonly open: () => Promise<Channel | undefined>;
  /** Opened for this listener alone, and so closed with it. */
  readonly own: boolean;
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
  #channel: Channel | undefined;
  #leave: (() => void) | undefined;
  #withdraw: (() => void) | undefined;
  #over = false;

  constructor(to: ChannelToHear, events: ListenerEvents) {
    this.#to = to;
    this.#events = events;
  }

  open(): void {
    this.#to.open().then(
      (channel) => this.#hear(channel),
      () => this.#end("broken"),
    );
  }

  close(): void {
    this.#over = true;
    this.#leave?.();
    this.#withdraw?.();
    if (this.#to.own) this.#channel?.close();
  }

  #hear(channel: Channel | undefined): void {
    this.#channel = channel;
    if (this.#over) return this.close();
    if (!channel || !saysWhenListsChange(channel.capabilities)) return this.#end("never");
    this.#leave = channel.listen({
      changed: (kind) => this.#events.changed(kind),
      ended: () => this.#end("broken"),
    });
    if (channel.era === "modern") this.#subscribe(channel);
    if (!this.#over) this.#events.opened();
  }

  /** A server of that era says nothing unless it is asked to; the answer is the end. */
  #subscribe(channel: Channel): void {
    const id = this.#to.nextId();
    const request = channel.request(id, listenBody(id), {
      message: ({ kind }) => kind !== "notification" && this.#end(kind === "result" ? "broken" : "never"),
      fault: () => this.#end("broken"),
    });
    request.bearSilence();
    this.#withdraw = () => {
      if (request.ended) return;
      request.abort();
      void channel.tell(cancellation(id));
    };
  }

  #end(why: "never" | "broken"): void {
    if (this.#over) return;
    this.close();
    this.#events.ended(why);
  }
}

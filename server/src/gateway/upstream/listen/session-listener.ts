/**
 * Hears of resources in a caller's own session with a streamable HTTP server of the legacy era: what a server keeps for one
 * session only is said on no other stream.
 */

import { faultOfStatus } from "../failure.ts";
import { requestOptions } from "../handshake/handshake.ts";
import type { SessionStream, UpstreamSession } from "../sessions/target.ts";
import { jsonRpc } from "../transport/json-rpc.ts";
import { sendRequest } from "../transport/request.ts";
import type { ListenerEvents, UpstreamListener } from "./listener.ts";

export interface SessionToHear {
  readonly route: UpstreamSession;
  readonly stream: SessionStream;
  readonly resources: readonly string[];
}

export function hearSession(to: SessionToHear, events: ListenerEvents): UpstreamListener {
  const listener = new SessionListener(to, events);
  listener.open();
  return listener;
}

class SessionListener implements UpstreamListener {
  readonly #to: SessionToHear;
  readonly #events: ListenerEvents;
  #leave: (() => void) | undefined;
  #over = false;

  constructor(to: SessionToHear, events: ListenerEvents) {
    this.#to = to;
    this.#events = events;
  }

  open(): void {
    const { stream } = this.#to;
    this.#leave = stream.listen({
      heard: ({ updated }) => updated !== undefined && this.#events.updated?.(updated),
      reopened: () => this.#lookAgain(),
      ended: () => this.#end("broken"),
    });
    this.#subscribe().catch(() => this.#end("broken"));
  }

  /** The session goes on, and what it is subscribed to: whoever listens next need not ask again. */
  close(): void {
    this.#over = true;
    this.#leave?.();
  }

  forget(uri: string): void {
    if (!this.#to.stream.subscribed.delete(uri)) return;
    this.#sendRequest("resources/unsubscribe", uri).catch(() => undefined);
  }

  async #subscribe(): Promise<void> {
    const { stream, resources } = this.#to;
    for (const uri of resources) {
      if (stream.subscribed.has(uri)) continue;
      if (!(await this.#sendRequest("resources/subscribe", uri))) return this.#end("never");
      stream.subscribed.add(uri);
    }
    if (!this.#over) this.#events.opened();
  }

  /** Something may have been missed meanwhile. */
  #lookAgain(): void {
    for (const uri of this.#to.resources) this.#events.updated?.(uri);
  }

  async #sendRequest(method: string, uri: string): Promise<boolean> {
    const { endpoint, headers } = this.#to.route;
    const id = endpoint.nextId();
    const body = jsonRpc({ id, method, params: { uri } });
    const message = { method: "POST", path: endpoint.path, headers, ownHeaders: endpoint.extraHeaders, body } as const;
    const {
      response,
      status,
      headers: told,
    } = await sendRequest(endpoint.wire(), message, requestOptions(endpoint, id));
    // Such as of a session that the server has lost meanwhile: that says nothing of the resource.
    if (!response) throw faultOfStatus(status, told);
    return response.result !== undefined;
  }

  #end(why: "never" | "broken"): void {
    if (this.#over) return;
    this.close();
    this.#events.ended(why);
  }
}

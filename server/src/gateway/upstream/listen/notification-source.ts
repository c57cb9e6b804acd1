import { isObject } from "#lib/is-object";
import { LIST_KINDS } from "../../snapshot/list-kinds.ts";
import { faultOfStatus } from "../failure.ts";
import type { Capabilities } from "../handshake/handshake.ts";
import type { SessionStream } from "../sessions/upstream-session.ts";
import type { NotificationListener, UpstreamConnection } from "../transport/transport.ts";

/** Where a listener receives notifications from, and how it subscribes to resources there. */
export interface NotificationSource {
  readonly connection: UpstreamConnection;
  /** False if the upstream declared that it sends no such notifications. `resources` undefined: list changes. */
  offers(resources: readonly string[] | undefined): boolean;
  listen(listener: NotificationListener): () => void;
  /** Resolves to whether the upstream accepted the subscription. */
  subscribe(uri: string): Promise<boolean>;
  unsubscribe(uri: string): void;
  /** The listener is closed. */
  release(): void;
}

/** A connection that was opened for one listener and is closed with it. */
export class OwnConnectionSource implements NotificationSource {
  readonly connection: UpstreamConnection;
  #released = false;

  constructor(connection: UpstreamConnection) {
    this.connection = connection;
  }

  offers(resources: readonly string[] | undefined): boolean {
    return declaresNotifications(this.connection, resources);
  }

  listen(listener: NotificationListener): () => void {
    return this.connection.listen(listener);
  }

  subscribe(uri: string): Promise<boolean> {
    return requestIsAccepted(this.connection, "resources/subscribe", uri);
  }

  unsubscribe(uri: string): void {
    if (this.#released) return;
    requestIsAccepted(this.connection, "resources/unsubscribe", uri).catch(() => undefined);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    void this.connection.close();
  }
}

/** A connection that other listeners and calls use too. */
export class SharedConnectionSource implements NotificationSource {
  readonly connection: UpstreamConnection;
  readonly #subscribed = new Set<string>();
  #released = false;

  constructor(connection: UpstreamConnection) {
    this.connection = connection;
  }

  offers(resources: readonly string[] | undefined): boolean {
    return declaresNotifications(this.connection, resources);
  }

  listen(listener: NotificationListener): () => void {
    return this.connection.listen(listener);
  }

  async subscribe(uri: string): Promise<boolean> {
    const { connection } = this;
    const subscribe = () => requestIsAccepted(connection, "resources/subscribe", uri);
    const accepted = await connection.subscriptions.add(uri, subscribe);
    if (accepted) this.#subscribed.add(uri);
    if (this.#released) this.unsubscribe(uri);
    return accepted;
  }

  unsubscribe(uri: string): void {
    const { connection } = this;
    if (!this.#subscribed.delete(uri)) return;
    connection.subscriptions.delete(uri, () => requestIsAccepted(connection, "resources/unsubscribe", uri));
  }

  release(): void {
    this.#released = true;
    for (const uri of [...this.#subscribed]) this.unsubscribe(uri);
  }
}

/**
 * The server stream of a caller's session over streamable HTTP: some servers send the notifications of a session only
 * there. Subscriptions stay when the listener closes, so the next listener of the session need not subscribe again.
 */
export class ServerStreamSource implements NotificationSource {
  readonly connection: UpstreamConnection;
  readonly #stream: SessionStream;

  constructor(connection: UpstreamConnection, stream: SessionStream) {
    this.connection = connection;
    this.#stream = stream;
  }

  offers(): boolean {
    return true;
  }

  listen(listener: NotificationListener): () => void {
    return this.#stream.listen(listener);
  }

  async subscribe(uri: string): Promise<boolean> {
    const { subscribed } = this.#stream;
    if (subscribed.has(uri)) return true;
    const { response, status, headers } = await this.connection.request("resources/subscribe", { uri });
    // The server may have lost the session, which does not concern the resource.
    if (!response) throw faultOfStatus(status, headers);
    if (response.result === undefined) return false;
    subscribed.add(uri);
    return true;
  }

  unsubscribe(uri: string): void {
    if (!this.#stream.subscribed.delete(uri)) return;
    requestIsAccepted(this.connection, "resources/unsubscribe", uri).catch(() => undefined);
  }

  release(): void {}
}

async function requestIsAccepted(connection: UpstreamConnection, method: string, uri: string): Promise<boolean> {
  return (await connection.request(method, { uri })).response?.result !== undefined;
}

/** A connection without a handshake declared nothing, so the response to the subscription decides. */
function declaresNotifications(connection: UpstreamConnection, resources: readonly string[] | undefined): boolean {
  if (!connection.canListen) return false;
  if (!connection.hadHandshake) return true;
  const { capabilities } = connection;
  return resources ? declaresSubscribe(capabilities) : declaresListChanged(capabilities);
}

function declaresSubscribe(capabilities: Capabilities): boolean {
  return isObject(capabilities?.resources) && capabilities.resources.subscribe === true;
}

function declaresListChanged(capabilities: Capabilities): boolean {
  return LIST_KINDS.some((kind) => {
    const offered = capabilities?.[kind];
    return isObject(offered) && offered.listChanged === true;
  });
}

interface Subscription {
  subscribers: number;
  readonly accepted: Promise<boolean>;
}

/**
 * The resource subscriptions of one connection, which is one client to the upstream: the first subscriber of a resource
 * subscribes and the last one unsubscribes.
 */
export class SharedSubscriptions {
  readonly #subscriptions = new Map<string, Subscription>();
  /** By URI: requests for the same resource are sent in sequence, since each may be a separate HTTP exchange. */
  readonly #lastRequest = new Map<string, Promise<unknown>>();

  /** Resolves to whether the upstream accepted it. Only then must it be deleted again. */
  async add(uri: string, subscribe: () => Promise<boolean>): Promise<boolean> {
    const known = this.#subscriptions.get(uri);
    const subscription = known ?? { subscribers: 0, accepted: this.#inSequence(uri, subscribe) };
    this.#subscriptions.set(uri, subscription);
    subscription.subscribers++;
    let accepted = false;
    try {
      accepted = await subscription.accepted;
    } finally {
      if (!accepted && this.#subscriptions.get(uri) === subscription) this.#subscriptions.delete(uri);
    }
    return accepted;
  }

  delete(uri: string, unsubscribe: () => Promise<unknown>): void {
    const subscription = this.#subscriptions.get(uri);
    if (!subscription || --subscription.subscribers > 0) return;
    this.#subscriptions.delete(uri);
    this.#inSequence(uri, unsubscribe).catch(() => undefined);
  }

  async #inSequence<Result>(uri: string, send: () => Promise<Result>): Promise<Result> {
    const request = (this.#lastRequest.get(uri) ?? Promise.resolve()).then(send, send);
    this.#lastRequest.set(uri, request);
    try {
      return await request;
    } finally {
      if (this.#lastRequest.get(uri) === request) this.#lastRequest.delete(uri);
    }
  }
}

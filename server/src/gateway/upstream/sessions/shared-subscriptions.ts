interface Subscribed {
  readers: number;
  readonly taken: Promise<boolean>;
}

/**
 * Resources that are subscribed to over one pipe. All who share it are one client to the upstream: it is told when the
 * first of them wants to hear of a resource, and when the last does no more.
 */
export class SharedSubscriptions {
  readonly #subscribed = new Map<string, Subscribed>();
  /** By address: a word must not overtake the one before it, each of which may be a request of its own. */
  readonly #turns = new Map<string, Promise<unknown>>();

  /** Whether the upstream has taken it. What is taken must be given back; what is refused, or rejects, must not. */
  async add(uri: string, subscribe: () => Promise<boolean>): Promise<boolean> {
    const known = this.#subscribed.get(uri);
    const subscribed = known ?? { readers: 0, taken: this.#inTurn(uri, subscribe) };
    this.#subscribed.set(uri, subscribed);
    subscribed.readers++;
    let taken = false;
    try {
      taken = await subscribed.taken;
    } finally {
      if (!taken && this.#subscribed.get(uri) === subscribed) this.#subscribed.delete(uri);
    }
    return taken;
  }

  delete(uri: string, unsubscribe: () => Promise<unknown>): void {
    const subscribed = this.#subscribed.get(uri);
    if (!subscribed || --subscribed.readers > 0) return;
    this.#subscribed.delete(uri);
    this.#inTurn(uri, unsubscribe).catch(() => undefined);
  }

  async #inTurn<Result>(uri: string, act: () => Promise<Result>): Promise<Result> {
    const turn = (this.#turns.get(uri) ?? Promise.resolve()).then(act, act);
    this.#turns.set(uri, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(uri) === turn) this.#turns.delete(uri);
    }
  }
}

/**
 * Numbers the concurrent calls of a modern caller, so that each uses a separate upstream session. Some legacy servers
 * send their requests outside the response of the call that caused them; with one call per session it is known. Needed
 * while a call of the caller waits for answers, and always at a server that sent such a request.
 */
export class CallLanes {
  readonly #taken = new Map<string, Set<number>>();
  /** By caller, the number of calls that wait for answers. */
  readonly #held = new Map<string, number>();

  /** Whether any caller needs separate sessions. */
  get areUsed(): boolean {
    return this.#held.size > 0;
  }

  isHeld(key: string): boolean {
    return this.#held.has(key);
  }

  hold(key: string, count: 1 | -1): void {
    const held = (this.#held.get(key) ?? 0) + count;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
  }

  /** The lowest number that no open call has. */
  take(key: string, isFree: (lane: number) => boolean): number {
    const taken = this.#taken.get(key) ?? new Set();
    let lane = 0;
    while (taken.has(lane) || !isFree(lane)) lane++;
    this.#taken.set(key, taken.add(lane));
    return lane;
  }

  release(key: string, lane: number): void {
    const taken = this.#taken.get(key);
    taken?.delete(lane);
    if (taken?.size === 0) this.#taken.delete(key);
  }
}

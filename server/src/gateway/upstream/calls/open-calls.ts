/**
 * The open calls. An array instead of a Set: a Set allocates a new table every few hundred calls, its old table points to
 * the new one, and once an old table is promoted from the young generation, all later calls are retained until a full
 * collection. That cost about 20% of the time of a call.
 */
export class OpenCalls<Call extends { place: number }> implements Iterable<Call> {
  readonly #calls: Call[] = [];

  get size(): number {
    return this.#calls.length;
  }

  add(call: Call): void {
    call.place = this.#calls.length;
    this.#calls.push(call);
  }

  /** Moves the last call to the free index. */
  delete(call: Call): void {
    if (this.#calls[call.place] !== call) return;
    const last = this.#calls.pop();
    if (last === undefined || last === call) return;
    last.place = call.place;
    this.#calls[call.place] = last;
  }

  /** Iterates over a copy, because ending a call changes the array. */
  [Symbol.iterator](): Iterator<Call> {
    return this.#calls.slice()[Symbol.iterator]();
  }
}

/**
 * The calls that are under way. A list of places instead of a Set: a Set makes a new table every few hundred calls, its
 * old table points to the new one, and once an old one has left the young generation, every call after it is kept until
 * a full collection. That cost about a fifth of a call's time.
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

  /** The last call takes the place that becomes free. */
  delete(call: Call): void {
    if (this.#calls[call.place] !== call) return;
    const last = this.#calls.pop();
    if (last === undefined || last === call) return;
    last.place = call.place;
    this.#calls[call.place] = last;
  }

  /** Over a copy: a call that is ended on the way leaves its place. */
  [Symbol.iterator](): Iterator<Call> {
    return this.#calls.slice()[Symbol.iterator]();
  }
}

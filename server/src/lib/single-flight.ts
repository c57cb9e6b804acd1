/** Concurrent callers with the same key share one execution and its result. */
export class SingleFlight<Result> {
  readonly #underWay = new Map<string, Promise<Result>>();

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#underWay.get(key);
    if (running) return running;
    const started = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, started);
    return started;
  }

  underWay(key: string): Promise<Result> | undefined {
    return this.#underWay.get(key);
  }
}

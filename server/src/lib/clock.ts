/** Time as an argument: production passes `systemClock`, tests pass a clock that they advance manually. */
export interface Clock {
  /** Wall clock, epoch milliseconds. For timestamps only. */
  now(): number;
  /** Monotonic milliseconds with fractions. For durations only, so that a stepped wall clock changes none (OPS-6). */
  monotonic(): number;
  /** Runs `task` once after `delayMs`; the timer never keeps the process alive. */
  after(delayMs: number, task: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, task) {
    const handle = setTimeout(task, delayMs);
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};

import { type Clock, systemClock } from "#lib/clock";

export interface TestClock extends Clock {
  /** Moves both clocks on and runs what has come due, in order. */
  advance(ms: number): void;
}

/** A clock that moves only by hand. */
export function testClock(start = Date.UTC(2026, 0, 1)): TestClock {
  let elapsed = 0;
  const tasks = new Set<{ dueAt: number; task: () => void }>();
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    after(delayMs, task) {
      const entry = { dueAt: elapsed + delayMs, task };
      tasks.add(entry);
      return { cancel: () => void tasks.delete(entry) };
    },
    advance(ms) {
      const until = elapsed + ms;
      for (;;) {
        const due = [...tasks].filter((entry) => entry.dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
        if (!due) break;
        tasks.delete(due);
        elapsed = Math.max(elapsed, due.dueAt);
        due.task();
      }
      elapsed = until;
    },
  };
}

/** A clock on which nobody waits: the time that a timer asks for passes at once. */
export function hastyClock(start?: number): TestClock {
  const clock = testClock(start);
  return {
    ...clock,
    after(delayMs, task) {
      clock.advance(delayMs);
      const soon = setImmediate(task);
      return { cancel: () => clearImmediate(soon) };
    },
  };
}

/** The real one, but for the time of day: for data that look as if they had grown. */
export interface ShiftableClock extends Clock {
  shiftMs: number;
}

export function shiftableClock(): ShiftableClock {
  const clock = { ...systemClock, shiftMs: 0, now: () => systemClock.now() + clock.shiftMs };
  return clock;
}

import type { Clock } from "#lib/clock";

export interface MovingClock extends Clock {
  /** Advances the time and runs the tasks that become due, in order. */
  advance(ms: number): void;
}

export function createMovingClock(): MovingClock {
  let now = 0;
  const tasks = new Set<{ due: number; task: () => void }>();
  return {
    now: () => now,
    monotonic: () => now,
    after(delayMs, task) {
      const entry = { due: now + delayMs, task };
      tasks.add(entry);
      return { cancel: () => void tasks.delete(entry) };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = [...tasks].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
        if (!next) break;
        tasks.delete(next);
        now = next.due;
        next.task();
      }
      now = end;
    },
  };
}

import { setTimeout as delay } from "node:timers/promises";
import { type Clock, systemClock } from "#lib/clock";

export interface TestClock extends Clock {
  /** Advances both clocks and runs every task that becomes due, in order. */
  advance(ms: number): void;
  /**
   * Like a machine that was suspended: every task that is due runs once, at the end. For days in a service, whose timers of
   * seconds `advance` would run all.
   */
  suspend(ms: number): void;
}

/** A clock that only the test advances. */
export function testClock(start = Date.UTC(2026, 0, 1)): TestClock {
  let elapsed = 0;
  const tasks = new Set<TestTask>();
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
      for (let next = earliest(tasks); next && next.dueAt <= until; next = earliest(tasks)) {
        tasks.delete(next);
        elapsed = Math.max(elapsed, next.dueAt);
        next.task();
      }
      // A task may have advanced the clock further.
      elapsed = Math.max(elapsed, until);
    },
    suspend(ms) {
      elapsed += ms;
      const due = [...tasks].filter(({ dueAt }) => dueAt <= elapsed).sort((one, other) => one.dueAt - other.dueAt);
      for (const entry of due) if (tasks.delete(entry)) entry.task();
    },
  };
}

const POLL_MS = 10;
const POLLS_PER_STEP = 50;

/**
 * Advances the clock in steps until the condition is met. Waits between the steps, because jobs wait for the database,
 * which the clock does not control: a job does not run if its lease expires before the database answers.
 */
export async function advanceUntil(clock: TestClock, stepMs: number, reached: () => Promise<boolean>): Promise<void> {
  while (!(await reached())) {
    clock.advance(stepMs);
    for (let poll = 0; poll < POLLS_PER_STEP && !(await reached()); poll++) await delay(POLL_MS);
  }
}

interface TestTask {
  readonly dueAt: number;
  readonly task: () => void;
}

/**
 * The task that is due first; of several, the one that was set first. Allocates nothing, because a week has millions of
 * tasks.
 */
function earliest(tasks: ReadonlySet<TestTask>): TestTask | undefined {
  let first: TestTask | undefined;
  for (const task of tasks) if (first === undefined || task.dueAt < first.dueAt) first = task;
  return first;
}

const LONG_TIMER_MS = 30_000;

/** The system's clock, without its long timers: no periodic job changes the database while a slow test compares it. */
export const clockWithoutLongTimers: Clock = {
  ...systemClock,
  after: (delayMs, task) => (delayMs < LONG_TIMER_MS ? systemClock.after(delayMs, task) : { cancel() {} }),
};

/** A clock without waiting: a timer moves it forward by its delay and fires immediately. */
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

/** The system clock with a shifted time of day, for records that must appear to be older than they are. */
export interface ShiftableClock extends Clock {
  shiftMs: number;
}

export function shiftableClock(): ShiftableClock {
  const clock = { ...systemClock, shiftMs: 0, now: () => systemClock.now() + clock.shiftMs };
  return clock;
}

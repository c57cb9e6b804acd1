import { type Clock, systemClock } from "#lib/clock";

const INTERVAL_MS = 5_000;

/** Prints only the first line of every few seconds, for work that reports each step. */
export function everyFewSeconds(print: (line: string) => void, clock: Clock = systemClock): (line: string) => void {
  let last = clock.monotonic();
  return (line) => {
    const now = clock.monotonic();
    if (now - last < INTERVAL_MS) return;
    last = now;
    print(line);
  };
}

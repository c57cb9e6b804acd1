/**
 * How far a spool has been moved, as one number that only grows: the segment and the offset in it; then, once the
 * writer is dead, how many of its open calls were logged as interrupted; then finished.
 */
const SEGMENT = 2 ** 32;
const INTERRUPTED = 2 ** 52;

export const FINISHED = Number.MAX_SAFE_INTEGER;

export function positionIn(segment: number, offset: number): number {
  return segment * SEGMENT + offset;
}

export function afterInterrupted(count: number): number {
  return INTERRUPTED + count;
}

/** How many open calls are logged already. */
export function interruptedAt(position: number): number {
  return Math.max(0, position - INTERRUPTED);
}

/**
 * The progress of moving a spool, as one increasing number: the segment and the offset in it; after the writer has
 * died, the number of its open calls that were logged as interrupted; then finished.
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

/** Number of open calls that have been logged. */
export function interruptedAt(position: number): number {
  return Math.max(0, position - INTERRUPTED);
}

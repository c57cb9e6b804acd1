/**
 * Yields to the event loop. Administration works in slices, so that calls at the gateway do not wait for a long list.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

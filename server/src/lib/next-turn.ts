/**
 * Lets everything else that waits have its turn of the event loop. Administration works in slices: a call at the gateway
 * must not wait until a long list has been put together.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

import type { RandomBytes } from "./random.ts";
import { randomBase62 } from "./random.ts";

/** IDs for requests on the hot path: a random process name and a counter, so that no ID needs random bytes. */
export function createRequestIds(random: RandomBytes): () => string {
  const processName = randomBase62(random, 12);
  let count = 0;
  return () => `req_${processName}${(++count).toString(36).padStart(6, "0")}`;
}

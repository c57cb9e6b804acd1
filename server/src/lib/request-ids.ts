import type { RandomBytes } from "./random.ts";
import { randomBase62 } from "./random.ts";

/** Ids for requests on the hot path: a random name of the process and a counter, so that none costs randomness. */
export function createRequestIds(random: RandomBytes): () => string {
  const processName = randomBase62(random, 12);
  let count = 0;
  return () => `req_${processName}${(++count).toString(36).padStart(6, "0")}`;
}

import type { Call } from "./call-labels.ts";

/** Newest first, without duplicates. IDs consist of a time and a number of varying length. */
export function merged(some: readonly Call[], others: readonly Call[]): Call[] {
  const known = new Set(some.map(({ id }) => id));
  return [...some, ...others.filter(({ id }) => !known.has(id))].sort(newestFirst);
}

function newestFirst(a: Call, b: Call): number {
  if (a.ts !== b.ts) return a.ts < b.ts ? 1 : -1;
  return Number(b.id.split("-")[1]) - Number(a.id.split("-")[1]);
}

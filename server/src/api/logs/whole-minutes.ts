import { invalid } from "#lib/errors";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The whole minutes that contain the requested time range; by default the last 24 hours. */
export function wholeMinutes(
  requested: { readonly from?: number | undefined; readonly to?: number | undefined },
  now: number,
): { readonly from: number; readonly to: number } {
  const to = Math.ceil((requested.to ?? now + 1) / MINUTE_MS) * MINUTE_MS;
  const from = Math.floor((requested.from ?? to - DAY_MS) / MINUTE_MS) * MINUTE_MS;
  if (from >= to) throw invalid("from", "must be before to");
  return { from, to };
}

import { invalid } from "#lib/errors";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The minutes that hold what was asked for; the last day unless something was. */
export function wholeMinutes(
  asked: { readonly from?: number | undefined; readonly to?: number | undefined },
  now: number,
): { readonly from: number; readonly to: number } {
  const to = Math.ceil((asked.to ?? now + 1) / MINUTE_MS) * MINUTE_MS;
  const from = Math.floor((asked.from ?? to - DAY_MS) / MINUTE_MS) * MINUTE_MS;
  if (from >= to) throw invalid("from", "must be before to");
  return { from, to };
}

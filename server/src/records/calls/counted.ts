import { type SelectQueryBuilder, sql } from "kysely";
import { CALL_OUTCOMES } from "#lib/call-vocabulary";
import type { CallTables } from "#storage/call-tables";
import type { CallsDb } from "#storage/database";
import { type CallFilters, methodCodes, numbersOf } from "./list.ts";
import { MINUTE_MS } from "./minutes.ts";

type Minutes = SelectQueryBuilder<CallTables, "call_minutes", Record<never, never>>;

export const calls = sql<number>`cast(sum(calls) as bigint)`;
export const durationUs = sql<number>`cast(sum(duration_us) as bigint)`;

/** A query over the count tables. */
export interface Counted {
  readonly db: CallsDb;
  /** The first minute, and the first minute after the range. */
  readonly from: number;
  readonly to: number;
  /** All minute rows of the range. */
  readonly minutes: Minutes;
  /** Whether a server, tool or user is selected: only minutes have all three. */
  readonly isNamed: boolean;
  /** Codes of `CALL_METHODS`. */
  readonly methods: readonly number[] | undefined;
  readonly outcome: number | undefined;
}

export interface CountedWanted {
  /** Epoch milliseconds, both at the start of a minute. */
  readonly from: number;
  readonly to: number;
  readonly filters: Pick<CallFilters, "userEmail" | "serverSlug" | "tool" | "outcome" | "methods">;
}

/** Undefined if a name was never logged, so that nothing can match. */
export async function countedBy(db: CallsDb, { from, to, filters }: CountedWanted): Promise<Counted | undefined> {
  const { userEmail: user_email, serverSlug: server, tool } = filters;
  const numbers = await numbersOf(db, { user_email, server, tool });
  if (!numbers) return undefined;
  const span = { from: from / MINUTE_MS, to: to / MINUTE_MS };
  const methods = filters.methods && methodCodes(filters.methods);
  const outcome = filters.outcome === undefined ? undefined : CALL_OUTCOMES.indexOf(filters.outcome);
  let minutes: Minutes = db.selectFrom("call_minutes").where("minute", ">=", span.from).where("minute", "<", span.to);
  for (const [column, id] of numbers) minutes = minutes.where(column, "=", id);
  if (outcome !== undefined) minutes = minutes.where("outcome", "=", outcome);
  if (methods !== undefined) minutes = minutes.where("method", "in", methods);
  return { db, ...span, minutes, isNamed: numbers.length > 0, methods, outcome };
}

/**
 * The complete spans of `length` minutes in the range, numbered in spans, and the minutes before and after them.
 * Undefined if there are none.
 */
export function wholeWithin({ from, to, minutes }: Counted, length: number) {
  const [first, end] = [Math.ceil(from / length), Math.floor(to / length)];
  if (first >= end) return undefined;
  const edges = minutes.where((is) => is.or([is("minute", "<", first * length), is("minute", ">=", end * length)]));
  return { first, end, edges };
}

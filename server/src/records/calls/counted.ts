import { type RawBuilder, sql } from "kysely";
import { CALL_OUTCOMES } from "#lib/call-vocabulary";
import type { CallsDb } from "#storage/database";
import { daysCountedFrom } from "./days.ts";
import { type CallFilters, methodCodes, numbersOf } from "./list.ts";
import { DAY_MINUTES, type KINDS, MINUTE_MS } from "./minutes.ts";

export type Dimension = keyof typeof KINDS;

/** A query over the count tables. */
export interface Counted {
  readonly db: CallsDb;
  /** The first minute, and the first minute after the range. */
  readonly from: number;
  readonly to: number;
  /** The first day in `call_days`. */
  readonly daysFrom: number;
  /** The selected server, tool and user. Only minutes have all three. */
  readonly names: Readonly<Partial<Record<Dimension, number>>>;
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

/** Consecutive spans of `length` minutes, numbered in spans; `end` is exclusive. */
export interface Segment {
  readonly length: number;
  readonly first: number;
  readonly end: number;
}

/** Undefined if a name was never logged, so that nothing can match. */
export async function countedBy(db: CallsDb, { from, to, filters }: CountedWanted): Promise<Counted | undefined> {
  const { userEmail: user_email, serverSlug: server, tool } = filters;
  const numbers = await numbersOf(db, { user_email, server, tool });
  if (!numbers) return undefined;
  return {
    db,
    from: from / MINUTE_MS,
    to: to / MINUTE_MS,
    daysFrom: await daysCountedFrom(db),
    names: Object.fromEntries(numbers),
    methods: filters.methods && methodCodes(filters.methods),
    outcome: filters.outcome === undefined ? undefined : CALL_OUTCOMES.indexOf(filters.outcome),
  };
}

/**
 * Splits the range into as many spans of the first length as it holds, and the rest into shorter ones. The last length
 * is one minute.
 */
export function segmentsOf(counted: Counted, lengths: readonly number[]): Segment[] {
  const { from, to, daysFrom } = counted;
  const [length = 1, ...shorter] = lengths;
  if (from >= to) return [];
  const first = Math.max(Math.ceil(from / length), length === DAY_MINUTES ? daysFrom : 0);
  const end = Math.floor(to / length);
  if (first >= end) return segmentsOf(counted, shorter);
  return [
    { length, first, end },
    ...segmentsOf({ ...counted, to: first * length }, shorter),
    ...segmentsOf({ ...counted, from: end * length }, shorter),
  ];
}

/** The rows of a segment of minutes that match all filters. */
export function minutesIn(counted: Counted, segment: Segment): RawBuilder<unknown> {
  const names = Object.entries(counted.names).map(([column, id]) => sql`${sql.ref(column)} = ${id}`);
  return sql`call_minutes where ${all([inSegment("minute", segment), ...names, ...matching(counted)])}`;
}

/** Conditions for the method and the outcome, which every count table has. */
export function matching({ methods, outcome }: Counted): RawBuilder<unknown>[] {
  return [
    ...(methods === undefined ? [] : [sql`method in (${sql.join(methods)})`]),
    ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
  ];
}

export function inSegment(column: string, { first, end }: Segment): RawBuilder<unknown> {
  return sql`${sql.ref(column)} >= ${first} and ${sql.ref(column)} < ${end}`;
}

export function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}

/** One query per segment. A range without minutes still needs one. */
export function unionOf(queries: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(queries, sql` union all `);
}

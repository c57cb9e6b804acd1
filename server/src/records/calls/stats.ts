import { type SelectQueryBuilder, sql } from "kysely";
import type { CallTables } from "#storage/call-tables";
import type { CallsDb } from "#storage/database";
import { Tally } from "./histogram.ts";
import { type CallFilters, namesOf, numbersOf } from "./list.ts";
import { MINUTE_MS } from "./minutes.ts";
import { CALL_METHODS, CALL_OUTCOMES } from "./words.ts";

export interface StatsWanted {
  /** Epoch milliseconds, both at the beginning of a minute. */
  readonly from: number;
  readonly to: number;
  readonly minutesPerPoint: number;
  /** How many servers, tools and users at most. */
  readonly top: number;
  readonly filters: Pick<CallFilters, "userEmail" | "serverSlug" | "tool" | "outcome" | "method">;
}

export interface CallStats {
  readonly totals: Tally;
  /** Every span in order, also those without a call. */
  readonly series: readonly { readonly at: number; readonly tally: Tally }[];
  /** Those with the most calls first. */
  readonly servers: readonly { readonly serverSlug: string; readonly tally: Tally }[];
  readonly tools: readonly { readonly serverSlug: string; readonly tool: string; readonly tally: Tally }[];
  readonly users: readonly { readonly userEmail: string; readonly tally: Tally }[];
}

type Minutes = SelectQueryBuilder<CallTables, "call_minutes", Record<never, never>>;
type Dimension = "server" | "tool" | "user_email";

const calls = sql<number>`cast(sum(calls) as bigint)`;
const durationUs = sql<number>`cast(sum(duration_us) as bigint)`;

/** From the minutes alone: what it costs does not depend on how many calls there were in each. */
export async function readCallStats(db: CallsDb, wanted: StatsWanted): Promise<CallStats> {
  const { top } = wanted;
  const series = emptySeries(wanted);
  const totals = new Tally();
  const minutes = await filtered(db, wanted);
  if (!minutes) return { totals, series: [...series.values()], servers: [], tools: [], users: [] };
  for (const row of await readPoints(minutes, wanted.minutesPerPoint)) {
    totals.add(row);
    series.get(row.point)?.tally.add(row);
  }
  const servers = await ranked(minutes, ["server"], top);
  const tools = await ranked(minutes, ["tool", "server"], top);
  const users = await ranked(minutes, ["user_email"], top);
  const names = await namesOf(db, new Set([...servers, ...tools, ...users].flatMap(({ ids }) => ids)));
  const name = (id: number | undefined) => names.get(id ?? 0) ?? "";
  return {
    totals,
    series: [...series.values()],
    servers: servers.map(({ ids: [server], tally }) => ({ serverSlug: name(server), tally })),
    tools: tools.map(({ ids: [tool, server], tally }) => ({ serverSlug: name(server), tool: name(tool), tally })),
    users: users.map(({ ids: [user], tally }) => ({ userEmail: name(user), tally })),
  };
}

function emptySeries({ from, to, minutesPerPoint }: StatsWanted): Map<number, { at: number; tally: Tally }> {
  const spanMs = minutesPerPoint * MINUTE_MS;
  const series = new Map<number, { at: number; tally: Tally }>();
  for (let point = Math.floor(from / spanMs); point * spanMs < to; point++) {
    series.set(point, { at: point * spanMs, tally: new Tally() });
  }
  return series;
}

/** Undefined when a name was never logged: then nothing can match. */
async function filtered(db: CallsDb, { from, to, filters }: StatsWanted): Promise<Minutes | undefined> {
  const { userEmail: user_email, serverSlug: server, tool } = filters;
  const numbers = await numbersOf(db, { user_email, server, tool });
  if (!numbers) return undefined;
  let query: Minutes = db
    .selectFrom("call_minutes")
    .where("minute", ">=", from / MINUTE_MS)
    .where("minute", "<", to / MINUTE_MS);
  for (const [column, id] of numbers) query = query.where(column, "=", id);
  if (filters.outcome !== undefined) query = query.where("outcome", "=", CALL_OUTCOMES.indexOf(filters.outcome));
  if (filters.method !== undefined) query = query.where("method", "=", CALL_METHODS.indexOf(filters.method));
  return query;
}

function readPoints(minutes: Minutes, minutesPerPoint: number) {
  return minutes
    .select([sql<number>`minute / ${sql.lit(minutesPerPoint)}`.as("point"), "outcome", "bucket"])
    .select([calls.as("calls"), durationUs.as("duration_us")])
    .groupBy([sql.ref("point"), "outcome", "bucket"])
    .execute();
}

/** Those with the most calls, by the first column and what belongs to it. */
async function ranked(
  minutes: Minutes,
  [main, ...others]: readonly [Dimension, ...Dimension[]],
  top: number,
): Promise<{ ids: number[]; tally: Tally }[]> {
  const columns = [main, ...others];
  const byCalls = minutes.select(columns).where(main, "!=", 0).groupBy(columns).orderBy(calls, "desc");
  const ordered = columns.reduce((query, column) => query.orderBy(column), byCalls);
  const leaders = await ordered.limit(top).execute();
  if (leaders.length === 0) return [];
  const idsOf = (row: Record<Dimension, number>) => columns.map((column) => row[column]);
  const tallies = new Map(leaders.map((row) => [idsOf(row).join(), { ids: idsOf(row), tally: new Tally() }]));
  const mainIds = [...new Set(leaders.map((row) => row[main]))];
  const rows = await minutes
    .select([...columns, "outcome", "bucket"])
    .select([calls.as("calls"), durationUs.as("duration_us")])
    .where(main, "in", mainIds)
    .groupBy([...columns, "outcome", "bucket"])
    .execute();
  for (const row of rows) tallies.get(idsOf(row).join())?.tally.add(row);
  return [...tallies.values()];
}

import { sql } from "kysely";
import type { CallsDb } from "#storage/database";
import { type Counted, type CountedWanted, calls, countedBy, durationUs, wholeWithin } from "./counted.ts";
import { Tally } from "./histogram.ts";
import { namesOf } from "./list.ts";
import { MINUTE_MS, SPAN_MINUTES } from "./minutes.ts";
import { ranked } from "./ranking.ts";

export interface StatsWanted extends CountedWanted {
  readonly minutesPerPoint: number;
  /** Maximum number of servers, tools and users. */
  readonly top: number;
}

export interface CallStats {
  readonly totals: Tally;
  /** Every point in order, including those without calls. */
  readonly series: readonly { readonly at: number; readonly tally: Tally }[];
  /** Those with the most calls come first. */
  readonly servers: readonly { readonly serverSlug: string; readonly tally: Tally }[];
  readonly tools: readonly { readonly serverSlug: string; readonly tool: string; readonly tally: Tally }[];
  readonly users: readonly { readonly userEmail: string; readonly tally: Tally }[];
}

/** Reads counts that were stored when calls arrived, so the cost does not depend on the number of calls. */
export async function readCallStats(db: CallsDb, wanted: StatsWanted): Promise<CallStats> {
  const { top } = wanted;
  const series = emptySeries(wanted);
  const totals = new Tally();
  const counted = await countedBy(db, wanted);
  if (!counted) return { totals, series: [...series.values()], servers: [], tools: [], users: [] };
  for (const row of await readPoints(counted, wanted.minutesPerPoint)) {
    totals.add(row);
    series.get(row.point)?.tally.add(row);
  }
  return { totals, series: [...series.values()], ...(await leaders(counted, top)) };
}

async function leaders(counted: Counted, top: number): Promise<Pick<CallStats, "servers" | "tools" | "users">> {
  if (top === 0) return { servers: [], tools: [], users: [] };
  const servers = await ranked(counted, ["server"], top);
  const tools = await ranked(counted, ["tool", "server"], top);
  const users = await ranked(counted, ["user_email"], top);
  const names = await namesOf(counted.db, new Set([...servers, ...tools, ...users].flatMap(({ ids }) => ids)));
  const name = (id: number | undefined) => names.get(id ?? 0) ?? "";
  return {
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

function readPoints(counted: Counted, minutesPerPoint: number) {
  const fits = !counted.isNamed && minutesPerPoint % SPAN_MINUTES === 0;
  const whole = fits ? wholeWithin(counted, SPAN_MINUTES) : undefined;
  const perPoint = (column: string, length: number) => sql<number>`${sql.ref(column)} / ${sql.lit(length)}`.as("point");
  const columns = ["outcome", "bucket", "calls", "duration_us"] as const;
  const few = (whole?.edges ?? counted.minutes).select([perPoint("minute", minutesPerPoint), ...columns]);
  const rows = whole
    ? few.unionAll(spansOf(counted, whole).select([perPoint("span", minutesPerPoint / SPAN_MINUTES), ...columns]))
    : few;
  return counted.db
    .selectFrom(rows.as("counted"))
    .select(["point", "outcome", "bucket", calls.as("calls"), durationUs.as("duration_us")])
    .groupBy(["point", "outcome", "bucket"])
    .execute();
}

function spansOf({ db, methods, outcome }: Counted, { first, end }: { readonly first: number; readonly end: number }) {
  let spans = db.selectFrom("call_spans").where("span", ">=", first).where("span", "<", end);
  if (methods !== undefined) spans = spans.where("method", "in", methods);
  if (outcome !== undefined) spans = spans.where("outcome", "=", outcome);
  return spans;
}

import { sql } from "kysely";
import type { CallsDb } from "#storage/database";
import {
  all,
  type Counted,
  type CountedWanted,
  countedBy,
  inSegment,
  matching,
  minutesIn,
  segmentsOf,
  unionOf,
} from "./counted.ts";
import { Tally } from "./histogram.ts";
import { namesOf } from "./list.ts";
import { DAY_MINUTES, EVERYONE, KINDS, MINUTE_MS, SPAN_MINUTES } from "./minutes.ts";
import { type Ranked, ranked } from "./ranking.ts";

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
  return { totals, series: [...series.values()], ...(await leaders(counted, top, totals)) };
}

async function leaders(
  counted: Counted,
  top: number,
  totals: Tally,
): Promise<Pick<CallStats, "servers" | "tools" | "users">> {
  if (top === 0) return { servers: [], tools: [], users: [] };
  const { servers, tools } = await leadingTools(counted, top, totals);
  const users = await ranked(counted, ["user_email"], top, totals);
  const names = await namesOf(counted.db, new Set([...servers, ...tools, ...users].flatMap(({ ids }) => ids)));
  const name = (id: number | undefined) => names.get(id ?? 0) ?? "";
  return {
    servers: servers.map(({ ids: [server], tally }) => ({ serverSlug: name(server), tally })),
    tools: tools.map(({ ids: [tool, server], tally }) => ({ serverSlug: name(server), tool: name(tool), tally })),
    users: users.map(({ ids: [user], tally }) => ({ userEmail: name(user), tally })),
  };
}

/** The calls of one tool are counted per server with its name, so the servers need no other query. */
async function leadingTools(
  counted: Counted,
  top: number,
  totals: Tally,
): Promise<Record<"servers" | "tools", Ranked[]>> {
  if (counted.names.tool === undefined) {
    const servers = await ranked(counted, ["server"], top, totals);
    return { servers, tools: await ranked(counted, ["tool", "server"], top, totals) };
  }
  // One of them can be the tool of no server.
  const tools = await ranked(counted, ["tool", "server"], top + 1, totals);
  const servers = tools
    .map(({ ids: [, server = 0], tally }) => ({ ids: [server], tally }))
    .filter(({ ids: [id] }) => id !== 0);
  return { servers: servers.slice(0, top), tools: tools.slice(0, top) };
}

function emptySeries({ from, to, minutesPerPoint }: StatsWanted): Map<number, { at: number; tally: Tally }> {
  const spanMs = minutesPerPoint * MINUTE_MS;
  const series = new Map<number, { at: number; tally: Tally }>();
  for (let point = Math.floor(from / spanMs); point * spanMs < to; point++) {
    series.set(point, { at: point * spanMs, tally: new Tally() });
  }
  return series;
}

interface PointRow {
  point: number;
  outcome: number;
  bucket: number;
  calls: number;
  duration_us: number;
}

async function readPoints(counted: Counted, minutesPerPoint: number): Promise<PointRow[]> {
  const entry = entryOf(counted);
  const fits = (length: number) => minutesPerPoint % length === 0;
  const lengths = [
    ...(entry && fits(DAY_MINUTES) ? [DAY_MINUTES] : []),
    ...(entry?.kind === EVERYONE && fits(SPAN_MINUTES) ? [SPAN_MINUTES] : []),
    1,
  ];
  const queries = segmentsOf(counted, lengths).map((segment) => {
    const values = (column: string) =>
      sql`${sql.ref(column)} / ${sql.lit(minutesPerPoint / segment.length)} as point, outcome, bucket, calls, duration_us`;
    if (segment.length === 1) return sql`select ${values("minute")} from ${minutesIn(counted, segment)}`;
    if (segment.length === SPAN_MINUTES) {
      return sql`select ${values("span")} from call_spans where ${all([inSegment("span", segment), ...matching(counted)])}`;
    }
    const { kind, name, within } = entry ?? NO_ENTRY;
    const parent = within === undefined ? [] : [sql`within = ${within}`];
    const key = [sql`kind = ${kind}`, sql`name = ${name}`, ...parent];
    const conditions = [...key, inSegment("day", segment), ...matching(counted)];
    return sql`select ${values("day")} from call_day_durations where ${all(conditions)}`;
  });
  if (queries.length === 0) return [];
  const { rows } = await sql<PointRow>`
    select point, outcome, bucket, cast(sum(calls) as bigint) as calls, cast(sum(duration_us) as bigint) as duration_us
    from (${unionOf(queries)}) as counted group by point, outcome, bucket`.execute(counted.db);
  return rows;
}

interface DayEntry {
  readonly kind: number;
  readonly name: number;
  /** Undefined: the sum over all servers. */
  readonly within: number | undefined;
}

const NO_ENTRY: DayEntry = { kind: EVERYONE, name: 0, within: 0 };

/** The entries of the day tables that count exactly the selected calls. No entry has a user and a server or tool. */
function entryOf({ names }: Counted): DayEntry | undefined {
  const { server, tool, user_email } = names;
  if (user_email !== undefined) {
    return server === undefined && tool === undefined
      ? { kind: KINDS.user_email, name: user_email, within: 0 }
      : undefined;
  }
  if (tool !== undefined) return { kind: KINDS.tool, name: tool, within: server };
  return server === undefined ? NO_ENTRY : { kind: KINDS.server, name: server, within: 0 };
}

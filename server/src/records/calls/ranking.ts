import { type RawBuilder, sql } from "kysely";
import { all, type Counted, type Dimension, inSegment, matching, minutesIn, segmentsOf, unionOf } from "./counted.ts";
import { Tally } from "./histogram.ts";
import { DAY_MINUTES, HOUR_MINUTES, KINDS } from "./minutes.ts";

type Dimensions = readonly [Dimension, ...Dimension[]];

export interface Ranked {
  readonly ids: number[];
  readonly tally: Tally;
}

/** The entries with the most calls, by the first dimension and its parent. */
export async function ranked(counted: Counted, columns: Dimensions, top: number, totals: Tally): Promise<Ranked[]> {
  const fixed = columns.map((column) => counted.names[column]);
  if (fixed.every((id) => id !== undefined)) return totals.calls === 0 ? [] : [{ ids: fixed, tally: totals }];
  const leaders = await mostCalled(counted, columns, top);
  if (leaders.length === 0) return [];
  const tallies = new Map(leaders.map((ids) => [ids.join(), { ids, tally: new Tally() }]));
  for (const { name, within, ...row } of await durationsOf(counted, columns, leaders)) {
    tallies.get((columns.length === 1 ? [name] : [name, within]).join())?.tally.add(row);
  }
  return [...tallies.values()];
}

/** Hours and days have the counts; durations are then read only for the top entries. */
async function mostCalled(counted: Counted, columns: Dimensions, top: number): Promise<number[][]> {
  const [main] = columns;
  const queries = segmentsOf(counted, hasNames(counted, main) ? [DAY_MINUTES, HOUR_MINUTES, 1] : [1]).map((segment) => {
    if (segment.length === 1) {
      return sql`select ${keyOf(columns)}, calls from ${minutesIn(counted, segment)} and ${sql.ref(main)} <> 0`;
    }
    const [table, column] = segment.length === DAY_MINUTES ? ["call_days", "day"] : ["call_hours", "hour"];
    const conditions = [...ofKind(counted, main), inSegment(column, segment), ...matching(counted)];
    return sql`select name, within, calls from ${sql.table(table)} where ${all(conditions)}`;
  });
  if (queries.length === 0) return [];
  const { rows } = await sql<{ name: number; within: number }>`
    select name, within from (${unionOf(queries)}) as counted
    group by name, within order by sum(calls) desc, name, within limit ${top}`.execute(counted.db);
  return rows.map(({ name, within }) => (columns.length === 1 ? [name] : [name, within]));
}

interface DurationRow {
  name: number;
  within: number;
  outcome: number;
  bucket: number;
  calls: number;
  duration_us: number;
}

async function durationsOf(counted: Counted, columns: Dimensions, leaders: number[][]): Promise<DurationRow[]> {
  const [main] = columns;
  const pairs = leaders.map(([name = 0, within = 0]) => sql`(cast(${name} as bigint), cast(${within} as bigint))`);
  const entries = sql`(values ${sql.join(pairs)})`;
  const ids = sql.join([...new Set(leaders.map(([id]) => id))]);
  const values = sql`outcome, bucket, calls, duration_us`;
  const queries = segmentsOf(counted, hasNames(counted, main) ? [DAY_MINUTES, 1] : [1]).map((segment) => {
    if (segment.length === 1) {
      const minutes = minutesIn(counted, segment);
      return sql`select ${keyOf(columns)}, ${values} from ${minutes} and ${sql.ref(main)} in (${ids})`;
    }
    const conditions = [...ofKind(counted, main), inSegment("day", segment), ...matching(counted)];
    return sql`select name, within, ${values} from call_day_durations
      where (name, within) in ${entries} and ${all(conditions)}`;
  });
  const { rows } = await sql<DurationRow>`
    select name, within, outcome, bucket, cast(sum(calls) as bigint) as calls, cast(sum(duration_us) as bigint) as duration_us
    from (${unionOf(queries)}) as counted group by name, within, outcome, bucket`.execute(counted.db);
  return rows;
}

/** Whether hours and days can answer: they have every name alone, and tools with their server. */
function hasNames({ names }: Counted, main: Dimension): boolean {
  const given = Object.keys(names);
  return given.length === 0 || (main === "tool" && given.every((name) => name !== "user_email"));
}

function ofKind({ names }: Counted, main: Dimension): RawBuilder<unknown>[] {
  const { server, tool } = names;
  return [
    sql`kind = ${KINDS[main]}`,
    ...(tool === undefined ? [] : [sql`name = ${tool}`]),
    ...(server === undefined ? [] : [sql`within = ${server}`]),
  ];
}

function keyOf([main, other]: Dimensions): RawBuilder<unknown> {
  const within = other === undefined ? sql`cast(0 as bigint)` : sql.ref(other);
  return sql`${sql.ref(main)} as name, ${within} as within`;
}

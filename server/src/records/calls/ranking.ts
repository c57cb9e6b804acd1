import { sql } from "kysely";
import { type Counted, calls, durationUs, wholeWithin } from "./counted.ts";
import { Tally } from "./histogram.ts";
import { HOUR_MINUTES, KINDS } from "./minutes.ts";

type Dimension = keyof typeof KINDS;
type Dimensions = readonly [Dimension, ...Dimension[]];

/** The entries with the most calls, by the first dimension and its parent. */
export async function ranked(
  counted: Counted,
  columns: Dimensions,
  top: number,
): Promise<{ ids: number[]; tally: Tally }[]> {
  const leaders = await mostCalled(counted, columns, top);
  if (leaders.length === 0) return [];
  const tallies = new Map(leaders.map((ids) => [ids.join(), { ids, tally: new Tally() }]));
  const [main] = columns;
  const mainIds = [...new Set(leaders.map(([id]) => id ?? 0))];
  const rows = await counted.minutes
    .select([...columns, "outcome", "bucket"])
    .select([calls.as("calls"), durationUs.as("duration_us")])
    .where(main, "in", mainIds)
    .groupBy([...columns, "outcome", "bucket"])
    .execute();
  for (const row of rows) tallies.get(columns.map((column) => row[column]).join())?.tally.add(row);
  return [...tallies.values()];
}

/** Hours have the counts; durations are then read from minutes only for the top entries. */
async function mostCalled(counted: Counted, [main, other]: Dimensions, top: number): Promise<number[][]> {
  const whole = counted.isNamed ? undefined : wholeWithin(counted, HOUR_MINUTES);
  const within = other === undefined ? sql<number>`0` : sql<number>`${sql.ref(other)}`;
  const few = (whole?.edges ?? counted.minutes)
    .where(main, "!=", 0)
    .select([sql<number>`${sql.ref(main)}`.as("name"), within.as("within"), "calls"]);
  const rows = whole ? few.unionAll(hoursOf(counted, main, whole).select(["name", "within", "calls"])) : few;
  const leaders = await counted.db
    .selectFrom(rows.as("counted"))
    .select(["name", "within"])
    .groupBy(["name", "within"])
    .orderBy(calls, "desc")
    .orderBy("name")
    .orderBy("within")
    .limit(top)
    .execute();
  return leaders.map((row) => (other === undefined ? [row.name] : [row.name, row.within]));
}

function hoursOf(
  { db, methods, outcome }: Counted,
  main: Dimension,
  { first, end }: { readonly first: number; readonly end: number },
) {
  let hours = db
    .selectFrom("call_hours")
    .where("kind", "=", KINDS[main])
    .where("hour", ">=", first)
    .where("hour", "<", end);
  if (methods !== undefined) hours = hours.where("method", "in", methods);
  if (outcome !== undefined) hours = hours.where("outcome", "=", outcome);
  return hours;
}

import { firstCallFrom, lastCallNumber, oldestCallAfter } from "#records/calls";
import type { CallsDb, MainDb } from "#storage/database";
import type { CursorSource, LogCursorRow } from "#storage/log-destination-tables";

export interface LogDatabases {
  readonly main: MainDb;
  readonly calls: CallsDb;
}

/**
 * The number of the newest record. Calls and audit entries have consecutive numbers that are assigned under a lock and
 * become visible in their order (decision 0149), so no record appears later with a lower number.
 */
export async function newestPosition({ main, calls }: LogDatabases, source: CursorSource): Promise<number> {
  if (source === "calls") return lastCallNumber(calls);
  if (source === "audit") {
    const { seq } = await main.selectFrom("audit_chain").select("seq").where("id", "=", 1).executeTakeFirstOrThrow();
    return seq;
  }
  const { seq } = await main
    .selectFrom("audit_checkpoints")
    .select((row) => row.fn.max("seq").as("seq"))
    .where("kind", "=", "periodic")
    .executeTakeFirstOrThrow();
  return Number(seq ?? 0);
}

/** The position from which all records since this time are shipped again. */
export async function positionBefore(
  { main, calls }: LogDatabases,
  source: CursorSource,
  time: number,
): Promise<number> {
  const first =
    source === "calls"
      ? await firstCallFrom(calls, time)
      : await firstOf(main, source === "audit" ? "audit" : "audit_checkpoints", time);
  return first === undefined ? newestPosition({ main, calls }, source) : first - 1;
}

async function firstOf(db: MainDb, table: "audit" | "audit_checkpoints", time: number): Promise<number | undefined> {
  const { seq } = await db
    .selectFrom(table)
    .select((row) => row.fn.min("seq").as("seq"))
    .where("at", ">=", time)
    .executeTakeFirstOrThrow();
  return seq === null ? undefined : Number(seq);
}

export interface Lag {
  /** Records that wait, including those that a filter leaves out. */
  readonly records: number;
  /** Since when the oldest of them waits. Undefined: none waits. */
  readonly since: number | undefined;
}

export async function lagOf(
  databases: LogDatabases,
  { source, position }: Pick<LogCursorRow, "source" | "position">,
): Promise<Lag> {
  if (source === "checkpoints") return checkpointLag(databases.main, position);
  const newest = await newestPosition(databases, source);
  if (newest <= position) return { records: 0, since: undefined };
  const since =
    source === "calls" ? await oldestCallAfter(databases.calls, position) : await entryAfter(databases.main, position);
  return { records: newest - position, since };
}

async function entryAfter(db: MainDb, seq: number): Promise<number | undefined> {
  const row = await db.selectFrom("audit").select("at").where("seq", ">", seq).orderBy("seq").limit(1).execute();
  return row[0]?.at;
}

async function checkpointLag(db: MainDb, seq: number): Promise<Lag> {
  const { n, since } = await db
    .selectFrom("audit_checkpoints")
    .select((row) => [row.fn.countAll<number>().as("n"), row.fn.min("at").as("since")])
    .where("kind", "=", "periodic")
    .where("seq", ">", seq)
    .executeTakeFirstOrThrow();
  return { records: Number(n), since: since === null ? undefined : Number(since) };
}

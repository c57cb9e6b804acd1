import { sql, type Transaction } from "kysely";
import { type BulkColumn, insertRows } from "#storage/bulk-insert";
import type { CallTables } from "#storage/call-tables";
import type { CallsDb } from "#storage/database";
import { takeNumbers } from "./counters.ts";
import { bucketOf } from "./histogram.ts";

export const MINUTE_MS = 60_000;

type CountedCall = Pick<
  CallTables["calls"],
  "at" | "server" | "tool" | "user_email" | "method" | "outcome" | "duration_us"
>;

const COUNTED = ["at", "server", "tool", "user_email", "method", "outcome", "duration_us"] as const;

/** The minutes in one row of `call_spans` and of `call_hours`. */
export const SPAN_MINUTES = 10;
export const HOUR_MINUTES = 60;
export const DAY_MINUTES = 24 * 60;
/** The kinds of `call_hours` and `call_days`. */
export const KINDS = { server: 1, tool: 2, user_email: 3 } as const;
/** The kind of `call_days` that counts all calls. */
export const EVERYONE = 0;

/**
 * Adds calls to their minutes, in the transaction that inserts them. The caller holds the lock of the `calls` counter;
 * otherwise two transactions that update the same minutes could deadlock.
 */
export async function countCalls(tx: Transaction<CallTables>, calls: readonly CountedCall[]): Promise<void> {
  const minutes = new Addition(
    "call_minutes",
    ["minute", "server", "tool", "user_email", "method", "outcome", "bucket"],
    ["calls", "duration_us"],
  );
  for (const { at, server, tool, user_email, method, outcome, duration_us } of calls) {
    const minute = Math.floor(at / MINUTE_MS);
    const key = [minute, server ?? 0, tool ?? 0, user_email, method, outcome, bucketOf(duration_us)];
    minutes.add(key, [1, duration_us]);
  }
  await minutes.insert(tx);
  const spans = new Addition("call_spans", ["span", "method", "outcome", "bucket"], ["calls", "duration_us"]);
  const hours = new Addition("call_hours", ["kind", "hour", "name", "within", "method", "outcome"], ["calls"]);
  const days = new Addition("call_days", ["kind", "day", "name", "within", "method", "outcome"], ["calls"]);
  const durations = new Addition(
    "call_day_durations",
    ["kind", "name", "within", "day", "method", "outcome", "bucket"],
    ["calls", "duration_us"],
  );
  // Aggregates minutes, which are fewer than calls under load.
  for (const [
    minute = 0,
    server = 0,
    tool = 0,
    user = 0,
    method = 0,
    outcome = 0,
    bucket = 0,
    ...sums
  ] of minutes.rows) {
    const [count = 0] = sums;
    const hour = Math.floor(minute / HOUR_MINUTES);
    spans.add([Math.floor(minute / SPAN_MINUTES), method, outcome, bucket], sums);
    const day = Math.floor(minute / DAY_MINUTES);
    for (const { kind, name, within } of entriesOf(server, tool, user)) {
      if (kind !== EVERYONE) hours.add([kind, hour, name, within, method, outcome], [count]);
      days.add([kind, day, name, within, method, outcome], [count]);
      durations.add([kind, name, within, day, method, outcome, bucket], sums);
    }
  }
  for (const addition of [spans, hours, days, durations]) await addition.insert(tx);
}

function entriesOf(server: number, tool: number, user: number) {
  return [
    { kind: EVERYONE, name: 0, within: 0 },
    ...(server === 0 ? [] : [{ kind: KINDS.server, name: server, within: 0 }]),
    ...(tool === 0 ? [] : [{ kind: KINDS.tool, name: tool, within: server }]),
    { kind: KINDS.user_email, name: user, within: 0 },
  ];
}

/** Rows whose value columns are summed per key, first in memory and then in the table. */
class Addition {
  readonly #table: string;
  readonly #key: readonly string[];
  readonly #sums: readonly string[];
  readonly #rows = new Map<string, number[]>();

  constructor(table: string, key: readonly string[], sums: readonly string[]) {
    this.#table = table;
    this.#key = key;
    this.#sums = sums;
  }

  get rows(): IterableIterator<number[]> {
    return this.#rows.values();
  }

  add(key: readonly number[], amounts: readonly number[]): void {
    const name = key.join();
    const row = this.#rows.get(name);
    if (!row) {
      this.#rows.set(name, [...key, ...amounts]);
      return;
    }
    amounts.forEach((amount, at) => {
      row[key.length + at] = (row[key.length + at] ?? 0) + amount;
    });
  }

  async insert(tx: Transaction<CallTables>): Promise<void> {
    const columns = [...this.#key, ...this.#sums].map((name): BulkColumn => [name, "bigint"]);
    const sums = this.#sums.map((name) => `${name} = ${this.#table}.${name} + excluded.${name}`);
    const add = `on conflict (${this.#key.join(", ")}) do update set ${sums.join(", ")}`;
    await insertRows(tx, this.#table, columns, [...this.#rows.values()], add);
  }
}

/** Counts about `limit` calls that an earlier release inserted. Returns whether there may be more. */
export async function countEarlierCalls(db: CallsDb, limit: number): Promise<boolean> {
  // A literal, because SQLite uses the partial index only for this form.
  const uncounted = sql<boolean>`rolled_up = 0`;
  return db.transaction().execute(async (tx) => {
    await takeNumbers(tx, "calls", 0);
    const calls = await tx
      .selectFrom("calls")
      .select([...COUNTED, "id"])
      .where(uncounted)
      .orderBy("at")
      .orderBy("id")
      .limit(limit)
      .execute();
    const last = calls.at(-1);
    if (!last) return false;
    await countCalls(tx, calls);
    await tx
      .updateTable("calls")
      .set({ rolled_up: 1 })
      .where(uncounted)
      .where((is) => is(is.refTuple("at", "id"), "<=", is.tuple(last.at, last.id)))
      .execute();
    return calls.length === limit;
  });
}

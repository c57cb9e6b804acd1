import { sql, type Transaction } from "kysely";
import { CALL_OUTCOMES, type CallOutcome } from "#lib/call-vocabulary";
import { type BulkColumn, insertRows } from "#storage/bulk-insert";
import type { CallTables } from "#storage/call-tables";
import type { CallsDb } from "#storage/database";
import { namesOf, numbersOf } from "./list.ts";
import { MINUTE_MS } from "./minutes.ts";

/** Failed calls to one server with the same outcome and message. */
export interface ErrorGroup {
  readonly serverSlug: string | undefined;
  readonly outcome: CallOutcome;
  /** Their error text, with `…` where they differ. Undefined if there is none. */
  readonly error: string | undefined;
  readonly calls: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

type FailedCall = Pick<CallTables["calls"], "at" | "server" | "outcome" | "error">;

const OK = CALL_OUTCOMES.indexOf("ok");
const MAX_LENGTH = 200;
const COLUMNS: readonly BulkColumn[] = [
  ["minute", "bigint"],
  ["server", "bigint"],
  ["outcome", "bigint"],
  ["message", "text"],
  ["calls", "bigint"],
  ["first_at", "bigint"],
  ["last_at", "bigint"],
];
/** Uses `case`, because `min` of two values has a different name in each database. */
const ADD = `on conflict (minute, server, outcome, message) do update set
  calls = call_errors.calls + excluded.calls,
  first_at = case when excluded.first_at < call_errors.first_at then excluded.first_at else call_errors.first_at end,
  last_at = case when excluded.last_at > call_errors.last_at then excluded.last_at else call_errors.last_at end`;

/** Runs in the transaction that inserts the calls; the caller holds the lock of the `calls` counter. */
export async function countErrors(tx: Transaction<CallTables>, calls: readonly FailedCall[]): Promise<void> {
  const rows = new Map<string, { key: (string | number)[]; times: number[] }>();
  for (const { at, server, outcome, error } of calls) {
    if (outcome === OK) continue;
    const key = [Math.floor(at / MINUTE_MS), server ?? 0, outcome, generalize(error ?? "")];
    const row = rows.get(key.join());
    if (row) row.times.push(at);
    else rows.set(key.join(), { key, times: [at] });
  }
  if (rows.size === 0) return;
  const counted = [...rows.values()].map(({ key, times }) => [
    ...key,
    times.length,
    times.reduce((a, b) => Math.min(a, b)),
    times.reduce((a, b) => Math.max(a, b)),
  ]);
  await insertRows(tx, "call_errors", COLUMNS, counted, ADD);
}

/** Removes parts that differ between calls: times, long numbers and IDs. Other numbers stay, such as 401 and 503. */
function generalize(error: string): string {
  const timeless = error.replace(/\d+(?= (?:m?s|seconds?|minutes?|times)\b)/g, "…");
  const words = timeless.replace(/[\w-]{4,}/g, (word) => (isVariable(word) ? "…" : word));
  return words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH).toWellFormed()}…` : words;
}

function isVariable(word: string): boolean {
  return /^\d+$/.test(word) || (word.length >= 16 && /\d/.test(word));
}

interface GroupsWanted {
  /** Epoch milliseconds, both at the start of a minute. */
  readonly from: number;
  readonly to: number;
  readonly serverSlug: string | undefined;
  readonly outcome: CallOutcome | undefined;
  readonly limit: number;
}

/** Groups with the most calls come first. */
export async function readErrorGroups(db: CallsDb, wanted: GroupsWanted): Promise<ErrorGroup[]> {
  const numbers = await numbersOf(db, { server: wanted.serverSlug });
  if (!numbers) return [];
  let query = db
    .selectFrom("call_errors")
    .where("minute", ">=", wanted.from / MINUTE_MS)
    .where("minute", "<", wanted.to / MINUTE_MS);
  for (const [column, id] of numbers) query = query.where(column, "=", id);
  if (wanted.outcome !== undefined) query = query.where("outcome", "=", CALL_OUTCOMES.indexOf(wanted.outcome));
  const calls = sql<number>`cast(sum(calls) as bigint)`;
  const rows = await query
    .select(["server", "outcome", "message", calls.as("calls")])
    .select((is) => [is.fn.min("first_at").as("first_at"), is.fn.max("last_at").as("last_at")])
    .groupBy(["server", "outcome", "message"])
    .orderBy(calls, "desc")
    .orderBy("last_at", "desc")
    .orderBy("server")
    .orderBy("message")
    .limit(wanted.limit)
    .execute();
  const names = await namesOf(db, new Set(rows.map(({ server }) => server)));
  return rows.map((row) => ({
    serverSlug: names.get(row.server),
    outcome: CALL_OUTCOMES[row.outcome] ?? "error",
    error: row.message === "" ? undefined : row.message,
    calls: row.calls,
    firstAt: row.first_at,
    lastAt: row.last_at,
  }));
}

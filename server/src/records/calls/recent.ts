import { sql } from "kysely";
import { CALL_OUTCOMES, type CallOutcome } from "#lib/call-vocabulary";
import type { CallsDb } from "#storage/database";
import { namesOf } from "./list.ts";
import { MINUTE_MS } from "./minutes.ts";
import { storableText } from "./storable-text.ts";

/** A summary of the last calls that were sent to a server. */
export interface RecentCalls {
  readonly calls: number;
  /** Calls without a response. */
  readonly failed: number;
  /** Of the answered calls; undefined if there are none. */
  readonly medianUs: number | undefined;
  readonly lastAt: number;
  /** Defined if at least 3 of the last 5 calls failed, or all if there were fewer. */
  readonly failure: RecentFailure | undefined;
}

/** Why the calls of a server fail. */
export interface RecentFailure {
  /** The first of the consecutive failures. */
  readonly since: number;
  /** The last failed call. */
  readonly lastAt: number;
  readonly outcome: CallOutcome;
  readonly error: string | undefined;
  readonly durationUs: number;
}

/** Failed calls older than this do not make a server `failing`. */
export const FAILING_MS = 24 * 60 * 60 * 1000;
/** Enough to distinguish a failing server from one failed call. */
const SUMMARIZED = 20;
const CHECKED_CALLS = 5;
const MIN_FAILURES = 3;
const ANSWERED: ReadonlySet<CallOutcome> = new Set(["ok", "tool_error", "error"]);
const FAILED: ReadonlySet<CallOutcome> = new Set(["upstream_failed", "timeout", "interrupted"]);
/** Failures that the server caused. */
const CAUSED_BY_SERVER = ["upstream_failed", "timeout"] as const;
/** The message for calls that were not sent because the server is paused. */
const PAUSED = /\bis paused\b/;
const SERVERS_PER_QUERY = 200;

interface Call {
  readonly server: number;
  readonly at: number;
  readonly outcome: number;
  readonly duration_us: number;
  readonly error: string | null;
}

/** By slug, for at most 200 servers. Servers without calls are missing. One index lookup per server. */
export async function recentCallsOf(db: CallsDb, slugs: readonly string[]): Promise<ReadonlyMap<string, RecentCalls>> {
  if (slugs.length === 0) return new Map();
  const names = await db.selectFrom("log_names").selectAll().where("value", "in", slugs.map(storableText)).execute();
  if (names.length === 0) return new Map();
  const each = names.map(
    ({ id }) =>
      sql`select * from (select server, at, outcome, duration_us, error from calls where server = ${id}
        order by at desc, id desc limit ${sql.lit(SUMMARIZED)}) as last_calls`,
  );
  const { rows } = await sql<Call>`${sql.join(each, sql` union all `)}`.execute(db);
  const byServer = Map.groupBy(rows, ({ server }) => Number(server));
  return new Map(
    names.flatMap(({ id, value }) => {
      const recent = summarize(byServer.get(id) ?? []);
      return recent ? [[value, recent] as const] : [];
    }),
  );
}

/** Slugs of servers whose calls have failed since this time, see `RecentCalls.failure`. */
export async function failingServers(db: CallsDb, since: number): Promise<string[]> {
  const rows = await db
    .selectFrom("call_errors")
    .select("server")
    .distinct()
    .where("minute", ">=", Math.floor(since / MINUTE_MS))
    .where(
      "outcome",
      "in",
      CAUSED_BY_SERVER.map((outcome) => CALL_OUTCOMES.indexOf(outcome)),
    )
    .execute();
  const slugs = [...(await namesOf(db, new Set(rows.map(({ server }) => server)))).values()];
  const failing: string[] = [];
  for (let start = 0; start < slugs.length; start += SERVERS_PER_QUERY) {
    const recent = await recentCallsOf(db, slugs.slice(start, start + SERVERS_PER_QUERY));
    for (const [slug, { failure }] of recent) if (failure && failure.lastAt >= since) failing.push(slug);
  }
  return failing;
}

function summarize(calls: readonly Call[]): RecentCalls | undefined {
  const withOutcome = (which: ReadonlySet<CallOutcome>) => calls.filter((call) => which.has(outcomeOf(call)));
  const [answered, failed] = [withOutcome(ANSWERED), withOutcome(FAILED)];
  const lastAt = Math.max(0, ...[...answered, ...failed].map(({ at }) => Number(at)));
  if (lastAt === 0) return undefined;
  const durations = answered.map((call) => Number(call.duration_us)).sort((a, b) => a - b);
  const medianUs = durations[Math.floor((durations.length - 1) / 2)];
  return {
    calls: answered.length + failed.length,
    failed: failed.length,
    medianUs,
    lastAt,
    failure: failureOf(
      withOutcome(new Set([...ANSWERED, ...CAUSED_BY_SERVER])).toSorted((a, b) => Number(b.at) - Number(a.at)),
    ),
  };
}

/** `calls`: newest first. */
function failureOf(calls: readonly Call[]): RecentFailure | undefined {
  const hasFailed = (call: Call) => !ANSWERED.has(outcomeOf(call));
  const checked = calls.slice(0, CHECKED_CALLS);
  const last = checked.find(hasFailed);
  const failures = checked.filter(hasFailed).length;
  if (!last || failures < Math.min(MIN_FAILURES, checked.length)) return undefined;
  const from = calls.indexOf(last);
  const end = calls.findIndex((call, at) => at > from && !hasFailed(call));
  const first = calls.at(end === -1 ? -1 : end - 1) ?? last;
  // While calls are paused, the failures before the pause show the cause.
  const cause = calls.find((call) => hasFailed(call) && !PAUSED.test(call.error ?? "")) ?? last;
  return {
    since: Number(first.at),
    lastAt: Number(last.at),
    outcome: outcomeOf(cause),
    error: cause.error ?? undefined,
    durationUs: Number(cause.duration_us),
  };
}

function outcomeOf({ outcome }: Call): CallOutcome {
  return CALL_OUTCOMES[Number(outcome)] ?? "error";
}

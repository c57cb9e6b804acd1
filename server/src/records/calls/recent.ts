import { sql } from "kysely";
import { CALL_OUTCOMES, type CallOutcome } from "#lib/call-vocabulary";
import type { CallsDb } from "#storage/database";
import { storableText } from "./storable-text.ts";

/** The results of the last calls that were forwarded to a server. */
export interface RecentCalls {
  readonly calls: number;
  /** Number of calls that the server did not answer. */
  readonly failed: number;
  /** For answered calls; undefined if there are none. */
  readonly medianUs: number | undefined;
  readonly lastAt: number;
}

/** Enough to distinguish a slow or failing server from a single bad call. */
const RECENT_CALLS = 20;
const ANSWERED: ReadonlySet<CallOutcome> = new Set(["ok", "tool_error", "error"]);
const FAILED: ReadonlySet<CallOutcome> = new Set(["upstream_failed", "timeout", "interrupted"]);

interface Call {
  readonly server: number;
  readonly at: number;
  readonly outcome: number;
  readonly duration_us: number;
}

/**
 * By slug, at most 200; servers without calls are missing. One index lookup per server, however many calls there are.
 */
export async function recentCallsOf(db: CallsDb, slugs: readonly string[]): Promise<ReadonlyMap<string, RecentCalls>> {
  if (slugs.length === 0) return new Map();
  const names = await db.selectFrom("log_names").selectAll().where("value", "in", slugs.map(storableText)).execute();
  if (names.length === 0) return new Map();
  const each = names.map(
    ({ id }) =>
      sql`select * from (select server, at, outcome, duration_us from calls where server = ${id}
        order by at desc, id desc limit ${sql.lit(RECENT_CALLS)}) as last_calls`,
  );
  const { rows } = await sql<Call>`${sql.join(each, sql` union all `)}`.execute(db);
  const byServer = Map.groupBy(rows, ({ server }) => Number(server));
  return new Map(
    names.flatMap(({ id, value }) => {
      const recent = sumUp(byServer.get(id) ?? []);
      return recent ? [[value, recent] as const] : [];
    }),
  );
}

function sumUp(calls: readonly Call[]): RecentCalls | undefined {
  const ended = (which: ReadonlySet<CallOutcome>) =>
    calls.filter(({ outcome }) => which.has(CALL_OUTCOMES[Number(outcome)] ?? "error"));
  const [answered, failed] = [ended(ANSWERED), ended(FAILED)];
  const lastAt = Math.max(0, ...[...answered, ...failed].map(({ at }) => Number(at)));
  if (lastAt === 0) return undefined;
  const durations = answered.map((call) => Number(call.duration_us)).sort((a, b) => a - b);
  const medianUs = durations[Math.floor((durations.length - 1) / 2)];
  return { calls: answered.length + failed.length, failed: failed.length, medianUs, lastAt };
}

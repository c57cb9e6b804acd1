import type { Selectable, SelectQueryBuilder } from "kysely";
import {
  AUTH_METHODS,
  type AuthMethod,
  CALL_GUARD_ACTIONS,
  CALL_METHODS,
  CALL_OUTCOMES,
  type CallGuardAction,
  type CallMethod,
  type CallOutcome,
} from "#lib/call-vocabulary";
import { decodeCursor, encodeCursor } from "#lib/cursor";
import type { CallTables } from "#storage/call-tables";
import { containsInAnyCase, isLike } from "#storage/contains";
import type { CallsDb } from "#storage/database";
import type { CallGuard, CallRecord } from "./call-record.ts";
import { storableText } from "./storable-text.ts";

export interface CallFilters {
  readonly userEmail?: string | undefined;
  /** Excludes calls of earlier users with the same email. */
  readonly userId?: string | undefined;
  readonly serverSlug?: string | undefined;
  readonly tool?: string | undefined;
  readonly outcome?: CallOutcome | undefined;
  readonly methods?: readonly CallMethod[] | undefined;
  /** Epoch milliseconds; `from` is inclusive, `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly minDurationUs?: number | undefined;
  readonly maxDurationUs?: number | undefined;
  readonly via?: AuthMethod | undefined;
  readonly client?: string | undefined;
  /** The session of an agent. */
  readonly agentSession?: string | undefined;
  /** The toolkit's slug. */
  readonly toolkit?: string | undefined;
  /** The guard's slug. */
  readonly guard?: string | undefined;
  readonly guardAction?: CallGuardAction | undefined;
  /** `…` matches any text. */
  readonly error?: string | undefined;
  readonly requestId?: string | undefined;
  readonly traceId?: string | undefined;
  /** Searched in the error and in the names of user, server and tool. */
  readonly text?: string | undefined;
}

export interface ListedCall extends CallRecord {
  readonly id: number;
}

export interface CallPage {
  readonly calls: readonly ListedCall[];
  /** Set if there is another page. */
  readonly nextCursor: string | undefined;
}

const CALL_ID = /^\d{1,15}$/;

/** Newest first (D22). Throws if the cursor is invalid. */
export async function listCalls(
  db: CallsDb,
  { limit, cursor, filters = {} }: { limit: number; cursor?: string | undefined; filters?: CallFilters },
): Promise<CallPage> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, CALL_ID);
  let query = await filtered(db, db.selectFrom("calls").selectAll(), filters);
  if (!query) return { calls: [], nextCursor: undefined };
  if (after) {
    query = query.where((expression) =>
      expression(expression.refTuple("at", "id"), "<", expression.tuple(after.at, Number(after.id))),
    );
  }
  const rows = await query
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    calls: await withNames(db, page),
    nextCursor: last && rows.length > limit ? encodeCursor(last) : undefined,
  };
}

/** Finds a call by time and number. */
export async function findCall(db: CallsDb, at: number, id: number): Promise<ListedCall | undefined> {
  const rows = await db.selectFrom("calls").selectAll().where("at", "=", at).where("id", "=", id).execute();
  return (await withNames(db, rows))[0];
}

type Calls = SelectQueryBuilder<CallTables, "calls", Selectable<CallTables["calls"]>>;

/** Undefined if nothing can match. */
export async function filtered(db: CallsDb, calls: Calls, filters: CallFilters): Promise<Calls | undefined> {
  const { userEmail: user_email, userId: user_id, serverSlug: server, tool, client, toolkit, guard } = filters;
  const wanted = await numbersOf(db, { user_email, user_id, server, tool, client, toolkit, guard });
  if (!wanted) return undefined;
  return wanted.reduce((query, [column, id]) => query.where(column, "=", id), byValues(db, calls, filters));
}

/** Whether a list can read most of the log to find its calls, because no index covers the filter. */
export function isSearch(filters: CallFilters): boolean {
  const { requestId, traceId, text, error, tool, client, via, outcome, minDurationUs, maxDurationUs } = filters;
  if (requestId !== undefined || traceId !== undefined) return false;
  const unindexed = [text, error, tool, client, via, outcome, minDurationUs, maxDurationUs];
  return [...unindexed, filters.guard, filters.guardAction, filters.agentSession].some((value) => value !== undefined);
}

export function methodCodes(methods: readonly CallMethod[]): number[] {
  return methods.map((method) => CALL_METHODS.indexOf(method));
}

/** Applies all filters except names. */
function byValues(db: CallsDb, calls: Calls, filters: CallFilters): Calls {
  const { outcome, methods, from, to, minDurationUs, maxDurationUs, requestId, traceId, via, error, text } = filters;
  let query = calls;
  if (outcome !== undefined) query = query.where("outcome", "=", CALL_OUTCOMES.indexOf(outcome));
  if (methods !== undefined) query = query.where("method", "in", methodCodes(methods));
  if (from !== undefined) query = query.where("at", ">=", from);
  if (to !== undefined) query = query.where("at", "<", to);
  if (minDurationUs !== undefined) query = query.where("duration_us", ">=", minDurationUs);
  if (maxDurationUs !== undefined) query = query.where("duration_us", "<=", maxDurationUs);
  if (requestId !== undefined) query = query.where("request_id", "=", storableText(requestId));
  if (traceId !== undefined) query = query.where("trace_id", "=", storableText(traceId));
  if (filters.agentSession !== undefined) query = query.where("agent_session", "=", storableText(filters.agentSession));
  // Calls with a machine user's key have no value.
  if (via === "machine_key") query = query.where("via", "is", null);
  else if (via !== undefined) query = query.where("via", "=", AUTH_METHODS.indexOf(via));
  if (error !== undefined) query = query.where(isLike("error", error));
  if (filters.guardAction !== undefined)
    query = query.where("guard_action", "=", CALL_GUARD_ACTIONS.indexOf(filters.guardAction));
  if (text === undefined) return query;
  const named = db.selectFrom("log_names").select("id").where(containsInAnyCase("value", text));
  return query.where((is) =>
    is.or([
      containsInAnyCase("error", text),
      is("user_email", "in", named),
      is("server", "in", named),
      is("tool", "in", named),
    ]),
  );
}

/** Undefined if a name was never logged, so that nothing can match. */
export async function numbersOf<Column extends string>(
  db: CallsDb,
  names: Readonly<Record<Column, string | undefined>>,
): Promise<[Column, number][] | undefined> {
  // The keys of a literal record are exactly those of its type.
  const given = Object.entries(names) as [Column, string | undefined][];
  const wanted = given.flatMap(([column, name]) => (name === undefined ? [] : [{ column, name: storableText(name) }]));
  if (wanted.length === 0) return [];
  const values = wanted.map(({ name }) => name);
  const rows = await db.selectFrom("log_names").select(["id", "value"]).where("value", "in", values).execute();
  const ids = new Map(rows.map((row) => [row.value, row.id]));
  const found: [Column, number][] = [];
  for (const { column, name } of wanted) {
    const id = ids.get(name);
    if (id === undefined) return undefined;
    found.push([column, id]);
  }
  return found;
}

export async function withNames(db: CallsDb, rows: readonly Selectable<CallTables["calls"]>[]): Promise<ListedCall[]> {
  if (rows.length === 0) return [];
  const ids = rows.flatMap((row) => [
    ...[row.user_id, row.user_email, row.server, row.tool, row.client, row.toolkit, row.exposed_tool, row.guard],
    row.toolkit_conflict,
  ]);
  const values = await namesOf(db, new Set(ids.filter((id) => id !== null)));
  const optional = (id: number | null) => (id === null ? undefined : values.get(id));
  return rows.map((row) => ({
    id: row.id,
    requestId: row.request_id,
    at: row.at,
    method: CALL_METHODS[row.method] ?? "other",
    userId: values.get(row.user_id) ?? "",
    userEmail: values.get(row.user_email) ?? "",
    serverSlug: optional(row.server),
    tool: optional(row.tool),
    requestBytes: row.request_bytes,
    outcome: CALL_OUTCOMES[row.outcome] ?? "error",
    durationUs: row.duration_us,
    responseBytes: row.response_bytes,
    error: row.error ?? undefined,
    ...callerOf(row, optional(row.client)),
    forwardedUs: row.forwarded_us ?? undefined,
    ...(row.trace_id === null ? {} : { traceId: row.trace_id }),
    ...(row.toolkit === null ? {} : { toolkit: optional(row.toolkit) }),
    ...(row.exposed_tool === null ? {} : { exposedTool: optional(row.exposed_tool) }),
    ...(row.toolkit_conflict === null ? {} : { toolkitConflict: optional(row.toolkit_conflict) }),
    ...guardOf(row, optional(row.guard)),
  }));
}

function callerOf(
  { via, agent_session: agentSession }: Selectable<CallTables["calls"]>,
  client: string | undefined,
): Pick<CallRecord, "via" | "client" | "agentSession"> {
  if (via === null) return {};
  return { via: AUTH_METHODS[via], client, ...(agentSession !== null && { agentSession }) };
}

function guardOf(
  { guard_action: action, guard_findings: text, approval_id: approvalId }: Selectable<CallTables["calls"]>,
  slug: string | undefined,
): { readonly guard?: CallGuard } {
  if (action === null) return {};
  // `moveCalls` wrote them.
  const findings = text === null ? [] : (JSON.parse(text) as CallGuard["findings"]);
  const approval = approvalId === null ? {} : { approvalId };
  return { guard: { action: CALL_GUARD_ACTIONS[action] ?? "log", slug, findings, ...approval } };
}

export async function namesOf(db: CallsDb, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> {
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom("log_names")
    .selectAll()
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, row.value]));
}

/** When each of these users last called, by email. One index lookup per user, however many calls there are. */
export async function lastCallsOf(db: CallsDb, emails: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (emails.length === 0) return new Map();
  const rows = await db
    .selectFrom("log_names")
    .select((is) => [
      "value",
      is
        .selectFrom("calls")
        .select((call) => call.fn.max("at").as("at"))
        .whereRef("calls.user_email", "=", "log_names.id")
        .as("at"),
    ])
    .where("value", "in", emails.map(storableText))
    .execute();
  return new Map(rows.flatMap(({ value, at }) => (at === null ? [] : [[value, Number(at)] as const])));
}

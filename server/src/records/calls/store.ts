import type { Transaction } from "kysely";
import {
  AUTH_METHODS,
  CALL_GUARD_ACTIONS,
  CALL_METHODS,
  CALL_OUTCOMES,
  type CallMethod,
  type CallOutcome,
} from "#lib/call-vocabulary";
import { type BulkColumn, insertRows } from "#storage/bulk-insert";
import type { CallTables } from "#storage/call-tables";
import type { CallsDb } from "#storage/database";
import { deleteOldest } from "#storage/delete-oldest";
import type { CallGuard, CallRecord } from "./call-record.ts";
import { takeNumbers } from "./counters.ts";
import { countErrors } from "./errors.ts";
import { countCalls } from "./minutes.ts";
import type { LogNames, ResolvedNames } from "./names.ts";
import { storableText } from "./storable-text.ts";

/** One step of moving a spool into the log. `from` is 0 for the first. */
export interface SpoolStep {
  readonly spool: string;
  readonly from: number;
  readonly to: number;
  readonly records: readonly CallRecord[];
}

const METHOD_CODES: ReadonlyMap<CallMethod, number> = new Map(CALL_METHODS.map((method, code) => [method, code]));
const OUTCOME_CODES: ReadonlyMap<CallOutcome, number> = new Map(CALL_OUTCOMES.map((outcome, code) => [outcome, code]));

/**
 * Stores records and the spool's new position in one transaction, so that each record is stored exactly once (GW-21).
 * Returns false and writes nothing if the spool's position is not `from`: an earlier attempt had been committed, or
 * another process was faster.
 */
export async function moveCalls(db: CallsDb, names: LogNames, step: SpoolStep, now: number): Promise<boolean> {
  const resolved = await db.transaction().execute(async (tx) => {
    if (!(await advance(tx, step, now))) return undefined;
    return insertCalls(tx, names, step.records);
  });
  resolved?.keep();
  return resolved !== undefined;
}

async function advance(tx: Transaction<CallTables>, { spool, from, to }: SpoolStep, now: number): Promise<boolean> {
  const advanced =
    from === 0
      ? tx
          .insertInto("spool_positions")
          .values({ spool, position: to, updated_at: now })
          .onConflict((conflict) => conflict.column("spool").doNothing())
          .returning("position")
      : tx
          .updateTable("spool_positions")
          .set({ position: to, updated_at: now })
          .where("spool", "=", spool)
          .where("position", "=", from)
          .returning("position");
  return (await advanced.execute()).length === 1;
}

async function insertCalls(
  tx: Transaction<CallTables>,
  names: LogNames,
  records: readonly CallRecord[],
): Promise<Pick<ResolvedNames, "keep">> {
  if (records.length === 0) return { keep: () => {} };
  let nextId = await takeNumbers(tx, "calls", records.length);
  const storable = records.map(storableCall);
  const resolved = await names.resolve(tx, new Set(storable.flatMap(namesIn)));
  const optionalId = (name: string | undefined) => (name === undefined ? null : resolved.id(name));
  const rows = storable.map((record) => ({
    id: nextId++,
    at: Math.round(record.at),
    duration_us: Math.round(record.durationUs),
    outcome: OUTCOME_CODES.get(record.outcome) ?? 0,
    method: METHOD_CODES.get(record.method) ?? 0,
    user_id: resolved.id(record.userId),
    user_email: resolved.id(record.userEmail),
    server: optionalId(record.serverSlug),
    tool: optionalId(record.tool),
    request_bytes: record.requestBytes,
    response_bytes: record.responseBytes,
    request_id: record.requestId,
    error: record.error ?? null,
    rolled_up: 1,
    via: record.via === undefined ? null : AUTH_METHODS.indexOf(record.via),
    client: optionalId(record.client),
    forwarded_us: record.forwardedUs === undefined ? null : Math.round(record.forwardedUs),
    trace_id: record.traceId ?? null,
    toolkit: optionalId(record.toolkit),
    exposed_tool: optionalId(record.exposedTool),
    guard_action: record.guard === undefined ? null : CALL_GUARD_ACTIONS.indexOf(record.guard.action),
    guard: optionalId(record.guard?.slug),
    guard_findings: findingsText(record.guard),
    approval_id: record.guard?.approvalId ?? null,
    agent_session: record.agentSession ?? null,
    toolkit_conflict: optionalId(record.toolkitConflict),
  }));
  await insertRows(
    tx,
    "calls",
    COLUMNS,
    rows.map((row) => Object.values(row)),
  );
  await countCalls(tx, rows);
  await countErrors(tx, rows);
  return resolved;
}

/** In the order of the rows above. */
const COLUMNS: readonly BulkColumn[] = [
  ["id", "bigint"],
  ["at", "bigint"],
  ["duration_us", "bigint"],
  ["outcome", "bigint"],
  ["method", "bigint"],
  ["user_id", "bigint"],
  ["user_email", "bigint"],
  ["server", "bigint"],
  ["tool", "bigint"],
  ["request_bytes", "bigint"],
  ["response_bytes", "bigint"],
  ["request_id", "text"],
  ["error", "text"],
  ["rolled_up", "bigint"],
  ["via", "bigint"],
  ["client", "bigint"],
  ["forwarded_us", "bigint"],
  ["trace_id", "text"],
  ["toolkit", "bigint"],
  ["exposed_tool", "bigint"],
  ["guard_action", "bigint"],
  ["guard", "bigint"],
  ["guard_findings", "text"],
  ["approval_id", "text"],
  ["agent_session", "text"],
  ["toolkit_conflict", "bigint"],
];

function namesIn(record: CallRecord): string[] {
  const { userId, userEmail, serverSlug, tool, client, toolkit, exposedTool, toolkitConflict, guard } = record;
  const names = [userId, userEmail, serverSlug, tool, client, toolkit, exposedTool, toolkitConflict, guard?.slug];
  return names.filter((name) => name !== undefined);
}

function findingsText(guard: CallGuard | undefined): string | null {
  return guard === undefined || guard.findings.length === 0 ? null : storableText(JSON.stringify(guard.findings));
}

/** Makes the texts of a call storable, because a call that cannot be stored would block all later ones. */
function storableCall(record: CallRecord): CallRecord {
  const optional = (text: string | undefined) => (text === undefined ? undefined : storableText(text));
  return {
    ...record,
    userId: storableText(record.userId),
    userEmail: storableText(record.userEmail),
    serverSlug: optional(record.serverSlug),
    tool: optional(record.tool),
    requestId: storableText(record.requestId),
    error: optional(record.error),
    ...clientOf(record.via, optional(record.client)),
    toolkit: optional(record.toolkit),
    exposedTool: optional(record.exposedTool),
    toolkitConflict: optional(record.toolkitConflict),
    guard: record.guard && { ...record.guard, slug: optional(record.guard.slug) },
  };
}

/** The gateway knows an agent's caller as `<slug>/<session>`. */
function clientOf(via: CallRecord["via"], client: string | undefined): Pick<CallRecord, "client" | "agentSession"> {
  if (via !== "agent" || client === undefined) return { client };
  const [slug, agentSession] = client.split("/");
  return { client: slug, agentSession };
}

/** The stored position of a spool; 0 if nothing was moved yet. */
export async function spoolPosition(db: CallsDb, spool: string): Promise<number> {
  const row = await db.selectFrom("spool_positions").select("position").where("spool", "=", spool).executeTakeFirst();
  return row?.position ?? 0;
}

/** Deletes the positions of spools that were finished long ago and that no process is moving. */
export async function forgetSpools(db: CallsDb, finished: number, before: number): Promise<void> {
  await db.deleteFrom("spool_positions").where("position", "=", finished).where("updated_at", "<", before).execute();
}

export function deleteCallsBefore(db: CallsDb, before: number, limit: number): Promise<boolean> {
  return deleteOldest(db, "calls", before, limit);
}

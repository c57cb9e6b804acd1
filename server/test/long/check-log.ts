/** GW-21, OPS-2: compares what callers and the upstream recorded with the log. */
import assert from "node:assert/strict";
import type { Service } from "../start-service.ts";
import { type CallKind, type History, markerOf, type SentCall } from "./callers.ts";

export interface LogRow {
  readonly ts: string;
  readonly user_email: string;
  readonly request_bytes: number;
  readonly request_id: string;
  readonly outcome: string;
  readonly method: string;
}

export interface CheckedLog {
  readonly rows: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Every page, from the newest call to the oldest. */
export async function readWholeLog(service: Service): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  let cursor = "";
  for (;;) {
    const { status, body, text } = await service.api("GET", `/api/logs?limit=200${cursor}`);
    assert.equal(status, 200, text);
    rows.push(...body.data);
    if (!body.pagination.hasMore) return rows;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
}

export function checkLog(rows: readonly LogRow[], { sent, seen, failures }: History): CheckedLog {
  const wrong: string[] = [...failures];
  const log = new Map<string, LogRow>();
  const requestIds = new Set<string>();
  for (const row of rows) {
    const marker = markerOf(row.user_email, row.request_bytes);
    if (log.has(marker)) wrong.push(`${marker} is in the log twice`);
    if (requestIds.has(row.request_id)) wrong.push(`${row.request_id} is in the log twice`);
    log.set(marker, row);
    requestIds.add(row.request_id);
  }
  const calls = new Map(sent.map((call) => [call.marker, call]));
  for (const marker of log.keys()) if (!calls.has(marker)) wrong.push(`${marker} is in the log but was never sent`);
  for (const [marker, times] of seen) {
    if (times > 1) wrong.push(`${marker} was forwarded ${times} times`);
    if (!log.has(marker)) wrong.push(`${marker} was forwarded but is not in the log`);
  }
  for (const call of sent) wrong.push(...faultsOf(call, log.get(call.marker), seen.has(call.marker)));
  assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} faults`);
  return { rows: rows.length, outcomes: countBy(rows, (row) => row.outcome) };
}

const OUTCOMES: Readonly<Record<CallKind, string>> = {
  tool: "ok",
  list: "ok",
  "unknown-tool": "denied",
  "hang-up": "ok",
};

function faultsOf({ marker, kind, requestId }: SentCall, row: LogRow | undefined, wasForwarded: boolean): string[] {
  const faults: string[] = [];
  if (requestId !== undefined) {
    if (!row) return [`${marker} was answered but is not in the log`];
    if (row.request_id !== requestId)
      faults.push(`${marker} was answered as ${requestId}, logged as ${row.request_id}`);
    if (row.outcome !== OUTCOMES[kind]) faults.push(`${marker} was answered but is logged as ${row.outcome}`);
  }
  if (row?.method !== undefined && row.method !== (kind === "list" ? "tools/list" : "tools/call")) {
    faults.push(`${marker} is logged as ${row.method}`);
  }
  const reached = kind === "tool" || kind === "hang-up";
  if (wasForwarded && !reached) faults.push(`${marker} was forwarded`);
  if (row?.outcome === "ok" && reached && !wasForwarded) faults.push(`${marker} is logged as ok but was not forwarded`);
  return faults;
}

function countBy<Item>(items: readonly Item[], key: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
}

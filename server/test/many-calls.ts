import { randomUUID } from "node:crypto";
import { type CallRecord, LogNames, moveCalls } from "#records/calls";
import type { CallsDb } from "#storage/database";

const STEP = 2_000;
const SPAN_MS = 0.95 * 24 * 60 * 60 * 1000;

/** A log with this many calls over most of a day until `now`, by many users to many tools. */
export async function seedCalls(db: CallsDb, count: number, now: number): Promise<void> {
  const names = new LogNames();
  for (let first = 0; first < count; first += STEP) {
    const length = Math.min(STEP, count - first);
    const records = Array.from({ length }, (_, at) => callOf(first + at, now - ((first + at) / count) * SPAN_MS));
    await moveCalls(db, names, { spool: `seed ${first}`, from: 0, to: 1, records }, now);
  }
}

/** Stores calls as if the gateway had just written them. */
export async function storeCalls(db: CallsDb, calls: readonly Partial<CallRecord>[]): Promise<void> {
  const records = calls.map((call, n) => ({ ...callOf(n + 1, Date.now()), ...call }));
  await moveCalls(db, new LogNames(), { spool: `stored ${randomUUID()}`, from: 0, to: 1, records }, Date.now());
}

function callOf(n: number, at: number): CallRecord {
  const failed = n % 17 === 0;
  return {
    requestId: `req_${n}`,
    at,
    method: "tools/call",
    userId: `usr_${n % 700}`,
    userEmail: `person.${n % 700}@acme.example`,
    serverSlug: `server-${n % 40}`,
    tool: `tool_${n % 400}`,
    requestBytes: 210,
    outcome: failed ? "upstream_failed" : "ok",
    durationUs: 1_000 + ((n * 7_919) % 900_000),
    responseBytes: 1_800,
    error: failed ? `The server answered with status ${500 + (n % 4)}` : undefined,
  };
}

import type { CallOutcome } from "#lib/call-vocabulary";
import { type Checkpoint, checkpointsOf, entriesAfter, presentCheckpoint, shippedEntry } from "#records/audit";
import { callsBetween, type ListedCall } from "#records/calls";
import type { LogDatabases } from "#records/log-destinations";
import type { CursorSource } from "#storage/log-destination-tables";
import type { Vault } from "#storage/vault";

/** One record on its way to a receiver. */
export interface LogRecord {
  /** Its number in the source. */
  readonly position: number;
  /** Always the same for the same record, so that receivers can recognize repetitions. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Of a call. */
  readonly outcome?: CallOutcome;
  /** A short text for people. */
  readonly summary: string;
  readonly traceId?: string | undefined;
  /** What receivers get, with `type` and `id`. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RecordReaderNeeds {
  readonly databases: LogDatabases;
  readonly vault: Vault;
  /** The call as the API returns it. */
  presentCall(call: ListedCall): Readonly<Record<string, unknown>>;
}

/** The stored records with numbers above `after`, up to `last`, in their order. */
export async function readRecords(
  { databases, vault, presentCall }: RecordReaderNeeds,
  source: CursorSource,
  after: number,
  last: number,
): Promise<LogRecord[]> {
  if (source === "calls") {
    const calls = await callsBetween(databases.calls, after, last);
    return calls.map((call) => callRecord(call, presentCall(call)));
  }
  if (source === "audit") {
    const entries = await entriesAfter(databases.main, after, last - after);
    return entries
      .map(shippedEntry)
      .filter(({ seq }) => seq !== null && seq <= last)
      .map(auditRecord);
  }
  const rows = await checkpointsOf(databases.main, { from: after + 1, to: last });
  return rows.filter(({ kind }) => kind === "periodic").map((row) => checkpointRecord(presentCheckpoint(vault, row)));
}

function callRecord(call: ListedCall, presented: Readonly<Record<string, unknown>>): LogRecord {
  const { at, outcome, method, tool, serverSlug, userEmail, traceId } = call;
  const called = [serverSlug, tool].filter((name) => name !== undefined).join(" ");
  return {
    ...{ position: call.id, id: `${at}-${call.id}`, at, outcome, traceId },
    summary: `${method} ${called}: ${outcome} (${userEmail})`.replace("  ", " "),
    body: { type: "call", ...presented },
  };
}

function auditRecord(entry: ReturnType<typeof shippedEntry>): LogRecord {
  const { seq, id, ts, operation, target, actor } = entry;
  return {
    ...{ position: seq ?? 0, id, at: Date.parse(ts) },
    summary: `${actor.name}: ${operation} ${target.name ?? ""}`.trimEnd(),
    body: { type: "audit", ...entry },
  };
}

function checkpointRecord(checkpoint: Checkpoint): LogRecord {
  const { seq, ts } = checkpoint;
  const id = `checkpoint-${seq}`;
  return {
    ...{ position: seq, id, at: Date.parse(ts) },
    summary: `Checkpoint of the audit log at entry ${seq}`,
    body: { type: "checkpoint", id, ...checkpoint },
  };
}

/** A record that is not from a log. */
export function testRecord(id: string, at: number, destination: string, userName: string): LogRecord {
  const summary = `${userName} sent this record to test the log destination ${destination}`;
  return {
    ...{ position: 0, id, at, summary },
    body: { type: "test", id, ts: new Date(at).toISOString(), message: summary, destination },
  };
}

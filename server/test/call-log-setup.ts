import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProcessTable } from "#gateway/call-log/owner";
import type { EndedCall, StartedCall } from "#gateway/call-log/record";
import { createSpool, type Spool } from "#gateway/call-log/spool";
import { createSpoolFiles } from "#gateway/call-log/spool-files";
import { createCallMover } from "#jobs/move-calls";
import type { SpoolFiles } from "#jobs/spool-tail";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import type { CallsDb } from "#storage/database";
import type { OpenTestDatabase } from "./databases.ts";

const logger = createLogger("silent");
const newId = createIds(systemClock, systemRandom);
export const nothing = () => {};

/** A call at its begin mark, and its record. */
export function started(requestId: string): StartedCall {
  return {
    requestId,
    at: 1_700_000_000_000,
    method: "tools/call",
    userId: "usr_1",
    userEmail: "ann@example.com",
    serverSlug: "github",
    tool: "create_issue",
    requestBytes: 120,
  };
}
export function ended(requestId: string): EndedCall {
  return { ...started(requestId), outcome: "ok", durationUs: 1500, responseBytes: 80, error: undefined };
}

/** Any number of processes on one data directory and one database, which the test can kill. */
export async function openCallLog(open: OpenTestDatabase) {
  const { databases, dataDir } = await open();
  const directory = join(dataDir, "spool");
  const running = new Set<number>();
  let lastPid = 0;

  function startProcess({ segmentBytes = 1500 } = {}) {
    const pid = ++lastPid;
    running.add(pid);
    const processes: ProcessTable = {
      self: () => ({ host: "here", pid, startedAt: "" }),
      isRunning: (identity) => running.has(identity.pid),
    };
    const spool = createSpool({ directory, clock: systemClock, newId, logger, segmentBytes, processes });
    const files: SpoolFiles = createSpoolFiles({ directory, clock: systemClock, own: spool, processes });
    const mover = (wrapped: { files?: SpoolFiles; db?: CallsDb } = {}) =>
      createCallMover({ files, db: databases.calls, clock: systemClock, logger, ...wrapped });
    return {
      spool,
      files,
      mover,
      /** Everything of its last turn is in the file; nothing happens afterwards. */
      kill() {
        spool.close();
        running.delete(pid);
      },
    };
  }

  /** How often each call is in the log, with its outcome: `req_1 ok` → 1. */
  async function logged(): Promise<Record<string, number>> {
    const rows = await databases.calls.selectFrom("calls").select(["request_id", "outcome"]).execute();
    const counts: Record<string, number> = {};
    for (const { request_id, outcome } of rows) {
      const key = `${request_id} ${outcome === 7 ? "interrupted" : "done"}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  }

  return { db: databases.calls, directory, startProcess, logged, spoolFiles: () => readdir(directory) };
}

/** Six finished and two open calls over several segments: an early call stays open, and a late one ends much later. */
/** Of the call `<prefix>_open`. */
export const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

export async function sampleCalls(spool: Spool, prefix: string): Promise<Record<string, number>> {
  const begin = (name: string) => spool.begin(started(`${prefix}_${name}`), nothing);
  const end = (name: string) => spool.end(ended(`${prefix}_${name}`), nothing);
  begin("late");
  spool.begin({ ...started(`${prefix}_open`), traceId: TRACE_ID }, nothing);
  await nextTurn();
  for (const name of ["1", "2", "3", "4"]) {
    begin(name);
    await nextTurn();
    end(name);
    await nextTurn();
  }
  end("denied");
  end("late");
  begin("open_too");
  await nextTurn();
  const finished = ["1", "2", "3", "4", "denied", "late"].map((name) => [`${prefix}_${name} done`, 1] as const);
  const open = ["open", "open_too"].map((name) => [`${prefix}_${name} interrupted`, 1] as const);
  return Object.fromEntries([...finished, ...open]);
}

/** A database whose transactions run through `around`, which can fail before or after them. */
export function failingTransactions(
  db: CallsDb,
  around: <Result>(work: () => Promise<Result>) => Promise<Result>,
): CallsDb {
  return new Proxy(db, {
    get(target, property) {
      if (property === "transaction") {
        const execute: ReturnType<CallsDb["transaction"]>["execute"] = (work) =>
          around(() => target.transaction().execute(work));
        return () => ({ execute });
      }
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

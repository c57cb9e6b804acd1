/** Runs in a worker thread: examines large payloads, so that the main thread continues to serve other callers. */
import { parentPort } from "node:worker_threads";
import { systemClock } from "#lib/clock";
import { setThreadPriority, THREAD_PRIORITIES } from "#lib/thread-priority";
import { TimeUp } from "../deadline.ts";
import { GuardSet } from "../guard-set.ts";
import { scanPayload } from "../scan.ts";
import { MAX_SETS, type ScanAnswer, type ScanRequest } from "./messages.ts";

/** The pool tracks the same sets, in the same order. */
const sets = new Map<number, GuardSet>();

function answer(request: ScanRequest): ScanAnswer {
  const { id } = request;
  try {
    const set = setOf(request).compiled;
    const guards = set.guards.filter(({ index }) => request.guards.includes(index));
    const { buffer, byteOffset, byteLength } = request.input.bytes;
    const input = { ...request.input, bytes: Buffer.from(buffer, byteOffset, byteLength) };
    set.deadline.start(request.limitMs);
    const result = scanPayload(set, guards, input, request.limits);
    return { id, kind: "scanned", result: request.wantsLeaves ? result : { ...result, leaves: [] } };
  } catch (error) {
    return { id, kind: error instanceof TimeUp ? "timeout" : "failed" };
  }
}

function setOf({ set, definitions }: ScanRequest): GuardSet {
  const known = sets.get(set);
  if (known !== undefined) return known;
  // Without its guards, the payload would pass unexamined.
  if (definitions === undefined) throw new Error("unknown set of guards");
  const compiled = new GuardSet(definitions, systemClock);
  const oldest = sets.size < MAX_SETS ? undefined : sets.keys().next().value;
  if (oldest !== undefined) sets.delete(oldest);
  sets.set(set, compiled);
  return compiled;
}

setThreadPriority(THREAD_PRIORITIES.examination);
parentPort?.on("message", (request: ScanRequest) => parentPort?.postMessage(answer(request)));

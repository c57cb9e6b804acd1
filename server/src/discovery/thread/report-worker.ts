/** Runs in a worker thread: checks and stores reports, so that the main thread continues to serve calls. */
import { parentPort, workerData } from "node:worker_threads";
import { Refusal } from "#lib/errors";
import { createIds } from "#lib/ids";

import { systemRandom } from "#lib/random";
import { setThreadPriority, THREAD_PRIORITIES } from "#lib/thread-priority";
import { joinTransaction } from "#storage/joined-transaction";
import { statementFailure } from "#storage/shared-transaction";
import { WriteTrail } from "#storage/transaction";
import { checkReport } from "../check-report.ts";
import { ingestReports } from "../ingest.ts";
import { readKnownFacts } from "../known-facts.ts";
import type { DiscoveryNeeds } from "../needs.ts";
import { PolicyReader } from "../policy-reader.ts";
import type { CheckedReport } from "../report.ts";
import { readContent } from "../report-content.ts";
import type {
  ReportToStore,
  ReportWorkerData,
  StoredReports,
  ThreadAnswer,
  ThreadFailure,
  ThreadRequest,
  UncheckedReport,
} from "./messages.ts";

// report-thread.ts passes workerData when it starts this thread.
const { gatewayUrls, connectorIds } = workerData as ReportWorkerData;
const policies = new PolicyReader();
/** By the number of the request. */
const checked = new Map<number, CheckedReport>();

function check({ identity, text }: UncheckedReport): Promise<CheckedReport> {
  return checkReport({ ...readContent(text), ...identity }, async () => {});
}

async function store({ now, reports, transaction }: ThreadRequest & { kind: "store" }): Promise<StoredReports> {
  const trail = new WriteTrail();
  const needs: DiscoveryNeeds = {
    ...{ now, gatewayUrls, newId: createIds({ now: () => now }, systemRandom), nextTurn: async () => {} },
    readPolicy: (db) => policies.read(db),
    readKnown: (db, items) => readKnownFacts(db, connectorIds, items),
  };
  const sent = reports.map((report) => ({ ...report, check: () => contentOf(report) }));
  const results = await joinTransaction(transaction, (tx) => ingestReports(tx, trail, sent, needs));
  return { results, events: trail.events };
}

async function contentOf({ content }: ReportToStore): Promise<CheckedReport> {
  if (typeof content !== "number") return "text" in content ? check(content) : content;
  const report = checked.get(content);
  if (!report) throw new Error("the thread that checked the report ended");
  return report;
}

async function answerTo(request: Exclude<ThreadRequest, { kind: "forget" }>): Promise<ThreadAnswer> {
  const { id } = request;
  try {
    if (request.kind === "store") return { kind: "stored", id, stored: await store(request) };
    checked.set(id, await check(request.report));
    return { kind: "checked", id };
  } catch (error) {
    return { kind: "failed", id, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): ThreadFailure {
  const message = error instanceof Error ? error.message : "unknown";
  return {
    message,
    refusal: error instanceof Refusal ? error.kind : undefined,
    statement: statementFailure(error),
  };
}

setThreadPriority(THREAD_PRIORITIES.examination);

parentPort?.on("message", async (request: ThreadRequest) => {
  if (request.kind === "forget") checked.delete(request.checked);
  else parentPort?.postMessage(await answerTo(request));
});

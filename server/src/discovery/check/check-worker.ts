/** Runs in a worker thread: checks reports, so that the main thread continues to serve calls. */
import { parentPort } from "node:worker_threads";
import { setThreadPriority, THREAD_PRIORITIES } from "#lib/thread-priority";
import { checkReport } from "../check-report.ts";
import { readContent } from "../report-content.ts";
import type { CheckAnswer, CheckRequest } from "./messages.ts";

setThreadPriority(THREAD_PRIORITIES.examination);

parentPort?.on("message", async ({ id, head, content }: CheckRequest) => {
  let answer: CheckAnswer;
  try {
    answer = { id, report: await checkReport({ ...readContent(content), ...head }, async () => {}) };
  } catch (error) {
    answer = { id, error: error instanceof Error ? error.message : "unknown" };
  }
  parentPort?.postMessage(answer);
});

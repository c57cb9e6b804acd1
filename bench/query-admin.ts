/**
 * A thread that sends the queries in sequence with pauses, like people and scripts, until it is terminated. Its own thread,
 * because reading the responses would delay the calls that the main thread measures.
 */
import { parentPort, workerData } from "node:worker_threads";
import { setThreadPriority, THREAD_PRIORITIES } from "#lib/thread-priority";

export interface AdminQueries {
  readonly url: string;
  readonly token: string;
  readonly paths: readonly string[];
}

const PAUSE_MS = 50;

const { url, token, paths }: AdminQueries = workerData;
// Real admins do not use the processors of the service.
setThreadPriority(THREAD_PRIORITIES.background);
for (let turn = 0; ; turn++) {
  const answer = await fetch(`${url}${paths[turn % paths.length]}`, { headers: { authorization: `Bearer ${token}` } });
  if (answer.status !== 200) throw new Error(await answer.text());
  await answer.arrayBuffer();
  if (turn === 0) parentPort?.postMessage("started");
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/**
 * A thread that sends reports of devices at a fixed rate. Its own thread, because creating reports and reading the
 * responses would delay the calls that the main thread measures. Real devices do not use the processors of the service,
 * so it sends prepared bytes over plain sockets, like the benchmarks.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { setThreadPriority, THREAD_PRIORITIES } from "#lib/thread-priority";
// biome-ignore lint/style/noRestrictedImports: the load of the benchmarks, which costs little
import { Connection, requestBytes } from "../../../bench/load.ts";
import { manyItems } from "../discovery-report.ts";

export interface ReportSender {
  readonly url: string;
  readonly token: string;
}

/** `prepare` is answered with `ready`, and `send` with `sent` after the last response. */
export type SenderRequest =
  | { readonly kind: "prepare"; readonly firstDevice: number; readonly count: number }
  | { readonly kind: "send"; readonly perSecond: number };

export type SenderAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "sent"; readonly tookMs: number; readonly responseMs: readonly number[] };

const { url, token }: ReportSender = workerData;
setThreadPriority(THREAD_PRIORITIES.background);
const port = Number(new URL(url).port);
/** Those that wait for the next request. */
const connections: Connection[] = [];
let requests: Buffer[] = [];

parentPort?.on("message", async (message: SenderRequest) => {
  if (message.kind === "prepare") {
    const { firstDevice, count } = message;
    requests = Array.from({ length: count }, (_, n) => reportOf(firstDevice + n));
    parentPort?.postMessage({ kind: "ready" } satisfies SenderAnswer);
  } else parentPort?.postMessage(await sendAll(1_000 / message.perSecond));
});

function reportOf(device: number): Buffer {
  const headers = { authorization: `Bearer ${token}` };
  return requestBytes({ port, path: "/api/ai-discovery/reports", headers, body: JSON.stringify(manyItems(device)) });
}

async function sendAll(intervalMs: number): Promise<SenderAnswer> {
  const startedAt = performance.now();
  const responses: Promise<number>[] = [];
  for (const [n, request] of requests.entries()) {
    await sleep(Math.max(0, startedAt + n * intervalMs - performance.now()));
    responses.push(send(request));
  }
  const responseMs = await Promise.all(responses);
  // The service closes connections that are idle for long.
  for (const connection of connections.splice(0)) connection.close();
  return { kind: "sent", tookMs: performance.now() - startedAt, responseMs };
}

/** Over a connection that no other request uses, because devices do not wait for each other. */
async function send(request: Buffer): Promise<number> {
  const connection = connections.pop() ?? new Connection(port);
  const sentAt = performance.now();
  const answer = await connection.ask(request);
  connections.push(connection);
  const [statusLine = ""] = answer.toString("latin1", 0, 100).split("\r\n");
  if (!statusLine.startsWith("HTTP/1.1 200 ")) throw new Error(`a report was answered with ${statusLine}`);
  return performance.now() - sentAt;
}

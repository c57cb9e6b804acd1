/**
 * A thread that sends first reports of devices at a fixed rate. Its own thread, because creating reports and reading the
 * responses would delay the calls that the main thread measures.
 */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { setThreadPriority, THREAD_PRIORITIES } from "#lib/thread-priority";
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
// Real devices do not use the processors of the service.
setThreadPriority(THREAD_PRIORITIES.background);
const agent = new Agent({ keepAlive: true });
let bodies: string[] = [];

parentPort?.on("message", async (message: SenderRequest) => {
  if (message.kind === "prepare") {
    const { firstDevice, count } = message;
    bodies = Array.from({ length: count }, (_, n) => JSON.stringify(manyItems(firstDevice + n)));
    parentPort?.postMessage({ kind: "ready" } satisfies SenderAnswer);
  } else parentPort?.postMessage(await sendAll(1_000 / message.perSecond));
});

async function sendAll(intervalMs: number): Promise<SenderAnswer> {
  const startedAt = performance.now();
  const responses: Promise<number>[] = [];
  for (const [n, body] of bodies.entries()) {
    await sleep(Math.max(0, startedAt + n * intervalMs - performance.now()));
    responses.push(send(body));
  }
  const responseMs = await Promise.all(responses);
  return { kind: "sent", tookMs: performance.now() - startedAt, responseMs };
}

function send(body: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sentAt = performance.now();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = request(`${url}/api/ai-discovery/reports`, { method: "POST", agent, headers }, (response) => {
    response.resume();
    response.on("error", reject);
    response.on("end", () => {
      if (response.statusCode === 200) resolve(performance.now() - sentAt);
      else reject(new Error(`a report was answered with ${response.statusCode}`));
    });
  });
  sent.on("error", reject);
  sent.end(body);
  return promise;
}

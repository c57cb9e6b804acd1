import { setTimeout as sleep } from "node:timers/promises";
// biome-ignore lint/style/noRestrictedImports: the load of the benchmarks, which costs little
import { Connection, requestBytes, type Target } from "../../../bench/load.ts";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { callText, eraHeaders } from "../mcp-messages.ts";
import { type RawUpstream, startRawUpstream } from "../upstreams/raw.ts";
import type { ServiceProcess } from "./service-process.ts";

const CONNECTIONS = 32;
const TOOL = "fast__echo";

/** Calls of a tool at a fixed rate, over several connections. */
export class PacedCalls {
  readonly #target: Target;
  readonly #upstream: RawUpstream;
  readonly #perSecond: number;
  readonly #connections: readonly Connection[];
  readonly failures: string[] = [];
  #sent = 0;

  private constructor(target: Target, upstream: RawUpstream, perSecond: number) {
    this.#target = target;
    this.#upstream = upstream;
    this.#perSecond = perSecond;
    this.#connections = Array.from({ length: CONNECTIONS }, () => new Connection(target.port));
  }

  /** The upstream responds immediately, so that the durations are those of the gateway. */
  static async prepare(service: ServiceProcess, perSecond: number): Promise<PacedCalls> {
    const upstream = await startRawUpstream({ record: false });
    const slug = await createSyncedServer(service, "Fast", upstream.url);
    const caller = await createMachineUser(service, "paced caller");
    await createGroup(service, "paced", { slugs: [slug], emails: [caller.email] });
    const headers = { authorization: `Bearer ${caller.credential}`, ...eraHeaders("modern", "tools/call", TOOL) };
    return new PacedCalls({ port: Number(new URL(service.url).port), path: "/mcp", headers }, upstream, perSecond);
  }

  /** The durations of all calls in milliseconds, while the work runs. */
  async during(work: () => Promise<void>): Promise<number[]> {
    const durations: number[] = [];
    let isOver = false;
    const working = work().finally(() => {
      isOver = true;
    });
    await Promise.all([working, ...this.#connections.map((each, at) => this.#call(each, at, durations, () => isOver))]);
    return durations;
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    await this.#upstream.close();
  }

  async #call(connection: Connection, at: number, durations: number[], isOver: () => boolean): Promise<void> {
    const intervalMs = (CONNECTIONS / this.#perSecond) * 1_000;
    for (let due = performance.now() + (at / CONNECTIONS) * intervalMs; !isOver(); due += intervalMs) {
      const earlyMs = due - performance.now();
      if (earlyMs > 0) await sleep(earlyMs);
      const n = ++this.#sent;
      const request = requestBytes({ ...this.#target, body: bodyOf(n) });
      const startedAt = performance.now();
      const answer = await connection.ask(request);
      const endedAt = performance.now();
      durations.push(endedAt - startedAt);
      if (!answer.includes(`{"n":${n}}`)) this.failures.push(answer.toString("utf8"));
      // Calls that are late are not caught up, because the queue would grow without end on a slow machine.
      due = Math.max(due, endedAt - intervalMs);
    }
  }
}

function bodyOf(n: number): string {
  return callText({ era: "modern", id: String(n), tool: TOOL, arguments: `{"n":${n}}` });
}

export function percentile99(durations: readonly number[]): number {
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length * 0.99)] ?? 0;
}

/** A service with workers as an operator runs it, with one MCP server and one caller. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestDatabase } from "./databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "./factories.ts";
import { type ProcessSettings, type ServiceProcess, spawnService } from "./long/service-process.ts";
import { callText } from "./mcp-messages.ts";
import { type RawUpstream, startRawUpstream } from "./upstreams/raw.ts";

export const CALL = callText({ era: "legacy", id: "7", tool: "echo__echo", arguments: '{"n":1}' });

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
}

export class WorkerService {
  readonly service: ServiceProcess;
  readonly upstream: RawUpstream;
  readonly user: MachineUser;
  readonly #metricsUrl: string;

  private constructor(service: ServiceProcess, upstream: RawUpstream, user: MachineUser) {
    this.service = service;
    this.upstream = upstream;
    this.user = user;
    const port = /Metrics {4}port (\d+)/.exec(service.unexpectedOutput())?.[1];
    this.#metricsUrl = `http://127.0.0.1:${port}/metrics`;
  }

  static async start(
    database: TestDatabase,
    environment: Readonly<Record<string, string>> = {},
    wrap: ProcessSettings["wrap"] = (command) => command,
  ) {
    const keyFile = join(database.dataDir, "key");
    await writeFile(keyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
    const service = await spawnService({
      wrap,
      token: randomBytes(24).toString("hex"),
      environment: {
        DATA_DIR: database.dataDir,
        GATEHOUSE_KEY_FILE: keyFile,
        ...(database.databaseUrl !== undefined && { DATABASE_URL: database.databaseUrl }),
        WORKERS: "2",
        METRICS_PORT: "0",
        ...environment,
      },
    }).ready;
    const upstream = await startRawUpstream({ record: false, delayMs: () => 5 });
    await createSyncedServer(service, "Echo", upstream.url);
    const user = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["echo"], emails: [user.email] });
    return new WorkerService(service, upstream, user);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.upstream.close();
  }

  /** Without an agent, on a new connection: consecutive ones reach different workers. */
  call(agent?: Agent, credential = this.user.credential): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
      const options = { method: "POST", headers, agent: agent ?? new Agent({ keepAlive: false }) };
      const request = httpRequest(`${this.service.url}/mcp`, options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject);
        const requestId = String(response.headers["x-request-id"]);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text, requestId }));
      });
      request.on("error", reject);
      request.end(CALL);
    });
  }

  /** The calls that each worker has answered, by its number. */
  async callsByWorker(): Promise<Map<string, number>> {
    const text = await this.metrics();
    const counts = new Map<string, number>();
    for (const [, labels = "", count] of text.matchAll(
      /^mcp_server_operation_duration_seconds_count\{(.*)\} (\d+)$/gm,
    )) {
      const worker = /worker="(\d+)"/.exec(labels)?.[1] ?? "";
      counts.set(worker, (counts.get(worker) ?? 0) + Number(count));
    }
    return counts;
  }

  async metrics(): Promise<string> {
    return (await fetch(this.#metricsUrl)).text();
  }

  /** The processes of the workers, in the order of their start. */
  pids(): number[] {
    const { pid } = this.service;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return children.split(" ").filter(Boolean).map(Number);
  }

  /** Waits until this many workers serve, in processes that are not among the given ones. */
  async untilServing(workers: number, without: readonly number[]): Promise<void> {
    while (
      !(await this.metrics()).includes(`\ngatehouse_workers ${workers}\n`) ||
      this.pids().some((pid) => without.includes(pid))
    ) {
      await sleep(50);
    }
  }

  /** Calls on persistent connections while the work runs. `untilAnswered` waits for that many more answers. */
  async underLoad(
    work: (untilAnswered: (count: number) => Promise<void>) => Promise<void>,
  ): Promise<{ answered: string[]; failures: string[] }> {
    const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
    const [answered, failures]: [string[], string[]] = [[], []];
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const answer = await this.call(agent).catch((error: Error) => error);
        if (answer instanceof Error) failures.push(String(answer));
        else if (answer.status !== 200 || !answer.text.includes('{"n":1}')) failures.push(answer.text);
        else answered.push(answer.requestId);
        // A worker that starts needs processor time too.
        await sleep(PAUSE_MS);
      }
    });
    try {
      await work(async (count) => {
        for (const enough = answered.length + count; answered.length < enough; ) await sleep(PAUSE_MS);
      });
    } finally {
      isOver = true;
      await Promise.all(callers);
      agent.destroy();
    }
    return { answered, failures };
  }

  /** The request IDs of all logged calls. */
  async loggedIds(): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ""; ; ) {
      const { status, body, text } = await this.service.api("GET", `/api/logs?limit=200${cursor}`);
      assert.equal(status, 200, text);
      ids.push(...body.data.map(({ request_id }: { request_id: string }) => request_id));
      if (!body.pagination.hasMore) return ids;
      cursor = `&cursor=${body.pagination.nextCursor}`;
    }
  }
}

export const CALLERS = 6;
const PAUSE_MS = 50;

import assert from "node:assert/strict";
import { Agent, request as httpRequest } from "node:http";
import { after, before, it } from "node:test";
import { forEachDatabase } from "./databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "./factories.ts";
import { callText } from "./mcp-messages.ts";
import { SeededRandom, seedFor } from "./seed.ts";
import { type Service, startService } from "./start-service.ts";
import { type RawUpstream, type SeenRequest, startRawUpstream } from "./upstreams/raw.ts";

const PRINCIPALS = 200;
const CONCURRENT_CALLS = 100;
const MAX_DELAY_MS = 20;
const ABORTED_SHARE = 0.05;
interface Call {
  readonly user: MachineUser;
  /** Counts from 0 for each user, so that many users use the same id concurrently. */
  readonly id: number;
  readonly marker: string;
  /** The caller disconnects when the upstream is about to answer. */
  readonly aborted: boolean;
}

interface Ended {
  readonly call: Call;
  /** Undefined when the caller disconnected before its response arrived. */
  readonly answer: { readonly status: number; readonly text: string; readonly requestId: string } | undefined;
}

/** Makes that many concurrent calls on each database, and checks every answer and every record (GW-2, GW-21). */
export function tryIsolatedCallers(calls: Readonly<Record<"sqlite" | "postgres", number>>): void {
  forEachDatabase("two hundred concurrent callers (GW-2, GW-21)", (open, dialect) => {
    const random = new SeededRandom();
    const hangUps = new Map<string, () => void>();
    const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT_CALLS });
    let service: Service;
    let upstream: RawUpstream;
    let users: MachineUser[];
    let ended: Ended[];

    before(async () => {
      service = await startService(await open());
      upstream = await startRawUpstream({
        record: false,
        delayMs: () => Math.floor(random.next() * MAX_DELAY_MS),
        behave: (seen) => {
          const hangUp = seen.method === "tools/call" ? hangUps.get(markerOf(seen)) : undefined;
          hangUp?.();
          // Some never get an answer; for the others, the answer races with the end of the connection.
          return hangUp && random.next() < 0.5 ? "hang" : "json";
        },
      });
      await createSyncedServer(service, "Echo", upstream.url);
      users = await Promise.all(
        Array.from({ length: PRINCIPALS }, (_, at) => createMachineUser(service, `caller ${at}`)),
      );
      await createGroup(service, "callers", { slugs: ["echo"], emails: users.map((user) => user.email) });
    });
    after(async () => {
      agent.destroy();
      await service?.close();
      await upstream?.close();
    });

    it("delivers every answer to its own caller, under the caller's id", async (test) => {
      random.seed(seedFor(test));
      ended = await makeCalls(plannedCalls(users, calls[dialect]));
      const answered = ended.filter(({ call }) => !call.aborted);
      assert.ok(answered.length > calls[dialect] * 0.9);
      for (const { call, answer } of answered) {
        const { status, text } = answer ?? {};
        assert.equal(status, 200, text);
        const { id, result } = JSON.parse(text ?? "");
        assert.deepEqual([id, result?.structuredContent], [call.id, { marker: call.marker }], text);
      }
      for (const { call, answer } of ended) {
        if (answer) assert.ok(answer.text.includes(`"marker":"${call.marker}"`), answer.text);
      }
    });

    it("logs each call once, under its caller", async () => {
      const rows = await readLog(service, ended.length);
      assert.equal(rows.length, ended.length);
      const byRequestId = new Map(rows.map((row) => [row.request_id, row]));
      assert.equal(byRequestId.size, rows.length, "the log contains a request ID twice");
      for (const { call, answer } of ended) {
        const row = answer && byRequestId.get(answer.requestId);
        if (answer) assert.deepEqual([row?.user_email, row?.outcome], [call.user.email, "ok"]);
      }
      const callsOf = Map.groupBy(ended, ({ call }) => call.user.email);
      const rowsOf = Map.groupBy(rows, (row) => row.user_email);
      for (const user of users) {
        assert.equal(rowsOf.get(user.email)?.length, callsOf.get(user.email)?.length, user.email);
      }
      const aborted = ended.filter(({ call }) => call.aborted).length;
      const cancelled = rows.filter((row) => row.outcome === "cancelled").length;
      assert.ok(cancelled > 0 && cancelled <= aborted, `${cancelled} of ${aborted} aborted calls are cancelled`);
      assert.equal(rows.filter((row) => row.outcome === "ok").length, rows.length - cancelled);
    });

    function plannedCalls(callers: readonly MachineUser[], count: number): Call[] {
      return Array.from({ length: count }, (_, at) => {
        const user = callers[at % callers.length];
        assert.ok(user);
        const id = Math.floor(at / callers.length);
        return { user, id, marker: `m${at % callers.length}-${id}`, aborted: random.next() < ABORTED_SHARE };
      });
    }

    async function makeCalls(planned: readonly Call[]): Promise<Ended[]> {
      const queue = planned.values();
      const done: Ended[] = [];
      const worker = async () => {
        for (const call of queue) done.push({ call, answer: await makeCall(call) });
      };
      await Promise.all(Array.from({ length: CONCURRENT_CALLS }, worker));
      return done;
    }

    function makeCall({ user, id, marker, aborted }: Call): Promise<Ended["answer"]> {
      const body = callText({ era: "legacy", id: String(id), tool: "echo__echo", arguments: `{"marker":"${marker}"}` });
      const headers = {
        authorization: `Bearer ${user.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "content-length": Buffer.byteLength(body),
      };
      return new Promise((resolve, reject) => {
        const request = httpRequest(`${service.url}/mcp`, { method: "POST", agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", () => resolve(undefined));
          response.on("end", () => {
            const requestId = String(response.headers["x-request-id"]);
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8"), requestId });
          });
        });
        request.on("error", (error) => (aborted ? resolve(undefined) : reject(error)));
        if (aborted) hangUps.set(marker, () => void setTimeout(() => request.destroy(), random.next() * 2));
        request.end(body);
      });
    }
  });
}

function markerOf(seen: SeenRequest): string {
  return /"marker":"([^"]*)"/.exec(seen.body.toString("latin1"))?.[1] ?? "";
}

interface LogRow {
  readonly request_id: string;
  readonly user_email: string;
  readonly outcome: string;
}

/** All records of tool calls. Reads up to ten times while there are fewer than expected. */
async function readLog(service: Service, expected: number): Promise<LogRow[]> {
  let rows: LogRow[] = [];
  for (let look = 0; look < 10 && rows.length < expected; look++) {
    rows = [];
    for (let cursor = ""; ; ) {
      const answer = await service.api("GET", `/api/logs?method=tools/call&limit=200${cursor}`);
      assert.equal(answer.status, 200, answer.text);
      rows.push(...answer.body.data);
      if (!answer.body.pagination.hasMore) break;
      cursor = `&cursor=${encodeURIComponent(answer.body.pagination.nextCursor)}`;
    }
  }
  return rows;
}

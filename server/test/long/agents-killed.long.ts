/**
 * Agents run on two replicas, of which one is killed with `kill -9` again and again. Afterwards every session has ended
 * once: completed, or failed as interrupted. Each session that completed called its tool once, none called it more often
 * than its transcript and the log report, and no session is lost.
 */
import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createGroup, createSyncedServer } from "../factories.ts";
import type { Service } from "../start-service.ts";
import { startRawUpstream } from "../upstreams/raw.ts";
import { prepareReplicas } from "./replicas.ts";

const KILLS = 20;
const PER_KILL = 8;
const CALL_MS = 300;
const TIMEOUT = { timeout: 15 * 60_000 };
const SCRIPT = [{ tool: "tracker__find", arguments: { run: "a" } }, { tool: "tracker__find" }, { text: "Done" }];

it(`runs no session twice and loses none when a replica is killed ${KILLS} times`, TIMEOUT, async (test) => {
  const replicas = await prepareReplicas();
  const upstream = await startRawUpstream({
    tools: [{ name: "find", inputSchema: {} }],
    gate: ({ method }) => (method === "tools/call" ? sleep(CALL_MS) : undefined),
  });
  test.after(async () => {
    await upstream.close();
    await replicas.destroy();
  });
  const keeper = await replicas.start("keeper");
  await createSyncedServer(keeper, "Tracker", upstream.url);
  await createAgent(keeper, "runner", SCRIPT, 10);
  const started: string[] = [];
  for (let round = 0; round < KILLS; round++) {
    const victim = await replicas.start("victim");
    for (let n = 0; n < PER_KILL; n++) started.push(await invoke(n % 2 ? keeper : victim, "runner", `${round}.${n}`));
    await sleep(200 + ((round * 137) % 900));
    await victim.kill();
  }
  // Its spool has the calls that it had not stored when it was killed.
  await replicas.start("victim");
  const ended = await Promise.all(started.map((id) => untilEnded(keeper, "runner", id)));
  const failed = ended.filter(({ status }) => status !== "completed");
  for (const { error } of failed) assert.equal(error?.code, "interrupted");
  const rows = await logRows(keeper, "runner");
  const sent = upstream.seen.filter(({ method }) => method === "tools/call").length;
  // A call that had begun may not have reached the upstream.
  assert.ok(rows.length >= sent && rows.length <= sent + KILLS * PER_KILL, `${rows.length} rows, ${sent} calls`);
  for (const { id, status, usage } of ended) {
    const logged = rows.filter((row) => row.agent_session_id === id).length;
    if (status === "completed") assert.deepEqual([logged, usage.tool_calls], [2, 2], id);
    else assert.ok(logged <= usage.tool_calls, `${id}: ${logged} calls, ${usage.tool_calls} in the transcript`);
  }
  test.diagnostic(
    `${KILLS} kills, ${ended.length} sessions: ${failed.length} interrupted; ${sent} calls at the upstream, ${rows.length} in the log`,
  );
});

const SESSIONS = 200;
const CONCURRENT = 20;

it(`runs ${SESSIONS} queued sessions once on two replicas, ${CONCURRENT} at a time`, TIMEOUT, async (test) => {
  const replicas = await prepareReplicas();
  let open = 0;
  let most = 0;
  const upstream = await startRawUpstream({
    tools: [{ name: "find", inputSchema: {} }],
    gate: async ({ method }) => {
      if (method !== "tools/call") return;
      most = Math.max(most, ++open);
      await sleep(50);
      open--;
    },
  });
  test.after(async () => {
    await upstream.close();
    await replicas.destroy();
  });
  const [one, two] = [await replicas.start("one"), await replicas.start("two")];
  await createSyncedServer(one, "Tracker", upstream.url);
  const script = [{ tool: "tracker__find" }, { text: "Done" }];
  // An agent queues at most 100 sessions.
  for (const slug of ["even", "odd"]) await createAgent(one, slug, script, CONCURRENT / 2);
  const started = await Promise.all(
    Array.from({ length: SESSIONS }, async (_, n) => {
      const slug = n % 2 ? "odd" : "even";
      return { slug, id: await invoke(n % 4 < 2 ? one : two, slug, `Run ${n}`) };
    }),
  );
  const ended = await Promise.all(started.map(({ slug, id }) => untilEnded(two, slug, id)));
  for (const { status, usage } of ended) assert.deepEqual([status, usage.tool_calls], ["completed", 1]);
  assert.equal(upstream.seen.filter(({ method }) => method === "tools/call").length, SESSIONS);
  assert.ok(most <= CONCURRENT, `${most} at a time`);
  test.diagnostic(`${SESSIONS} sessions completed with one call each, at most ${most} calls at a time`);
});

interface Session {
  readonly id: string;
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly usage: { readonly tool_calls: number };
  readonly ended_at: string | null;
}

async function call(service: Service, method: string, path: string, body?: object) {
  for (let tries = 0; ; tries++) {
    const answer = await service.api(method, path, body);
    if (answer.status < 300) return answer.body;
    // The queue is full for a moment.
    if (answer.status !== 429 || tries > 600) assert.fail(answer.text);
    await sleep(100);
  }
}

async function createAgent(service: Service, name: string, script: readonly object[], max_concurrent: number) {
  const provider = { type: "scripted", script };
  const agent = {
    name,
    instructions: "Help.",
    model: "scripted",
    provider,
    status: "active",
    limits: { max_concurrent },
  };
  const { data } = await call(service, "POST", "/api/background-agents", agent);
  await createGroup(service, `Group of ${name}`, { slugs: ["tracker"], emails: [data.identity] });
}

async function invoke(service: Service, slug: string, input: string): Promise<string> {
  return (await call(service, "POST", `/api/background-agents/${slug}/invoke`, { input })).data.id;
}

async function untilEnded(service: Service, slug: string, id: string): Promise<Session> {
  for (;;) {
    const { data } = await call(service, "GET", `/api/background-agents/${slug}/sessions/${id}`);
    if (data.ended_at !== null) return data;
    await sleep(500);
  }
}

async function logRows(service: Service, agent: string): Promise<{ readonly agent_session_id: string }[]> {
  // The spools of killed processes are read after a while.
  let before = -1;
  for (;;) {
    const rows: { readonly agent_session_id: string }[] = [];
    for (let cursor: string | undefined; ; ) {
      const from = cursor === undefined ? "" : `&cursor=${cursor}`;
      const { data, pagination } = await call(service, "GET", `/api/logs?kind=calls&agent=${agent}&limit=200${from}`);
      rows.push(...data);
      cursor = pagination.nextCursor ?? undefined;
      if (!cursor) break;
    }
    if (rows.length === before) return rows;
    before = rows.length;
    await sleep(20_000);
  }
}

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createSyncedServer } from "#test/factories";
import { publishGuards } from "#test/guard-records";
import { startManagedAgentsStub } from "#test/managed-agents-stub";
import { modelAnswer, startReceiver } from "#test/model-provider";
import { type OwnService, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const CANARY = "CANARY-4f1c";
const SHOWN = "[REDACTED-NUMBER]";
const SECRET = "a secret of the runner";
const pattern = (name: string, text: string) => ({ type: "regex", name, config: { pattern: text } });
const GUARDS = [
  { slug: "numbers", name: "Numbers", action: "redact", checks: [pattern("Number", "CANARY-[0-9a-f]+")] },
  { slug: "blocked", name: "Blocked", action: "block", checks: [pattern("Blocked", "BLOCKED-[0-9a-f]+")] },
  { slug: "held", name: "Held", action: "require_approval", checks: [pattern("Held", "HELD-[0-9a-f]+")] },
];

type Step = Record<string, unknown>;

forEachDatabase("transcripts of agents", (open) => {
  let database: TestDatabase;
  let service: OwnService;
  let tracker: RawUpstream;
  before(async () => {
    database = await open();
    service = await startService(database, {});
    tracker = await startRawUpstream({ tools: [{ name: "find", inputSchema: {} }] });
    await createSyncedServer(service, "Tracker", tracker.url);
    await publishGuards(service, database.databases, GUARDS);
  });
  after(async () => {
    await service?.close();
    await tracker?.close();
  });
  beforeEach(() => {
    tracker.seen.length = 0;
    tracker.behave = () => "json";
  });

  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.api(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const create = async (name: string, more: object) => {
    const fields = { name, instructions: "Help.", model: "m", status: "active" };
    const agent = await call("POST", "/api/background-agents", { ...fields, ...more });
    await createGroup(service, `Group of ${name}`, { slugs: ["tracker"], emails: [agent.identity] });
  };
  const invoke = (slug: string, input = "Find it") => call("POST", `/api/background-agents/${slug}/invoke`, { input });
  const until = async (slug: string, id: string, status: string) => {
    for (let tries = 0; tries < 600; tries++) {
      const data = await call("GET", `/api/background-agents/${slug}/sessions/${id}`);
      if (data.status === status) return data;
      await sleep(50);
    }
    assert.fail(`${status} was not reached`);
  };
  const stepsOf = (slug: string, id: string): Promise<Step[]> =>
    call("GET", `/api/background-agents/${slug}/sessions/${id}/steps`);
  /** Everything that is stored and shown about a session. */
  const traces = async (slug: string, id: string) => {
    const { main, calls } = database.databases;
    const path = `/api/background-agents/${slug}/sessions/${id}`;
    const events = await service.api("GET", `${path}/events`);
    const shown = [
      events.text,
      (await service.api("GET", path)).text,
      (await service.api("GET", `${path}/steps`)).text,
    ];
    const stored = [
      await main.selectFrom("agent_steps").selectAll().execute(),
      await main.selectFrom("agent_sessions").selectAll().execute(),
      await main.selectFrom("webhook_deliveries").selectAll().execute(),
      await main.selectFrom("audit").selectAll().execute(),
      await calls.selectFrom("calls").selectAll().execute(),
    ];
    assert.ok(events.text.includes("event: step"));
    return [...shown, JSON.stringify(stored)].join("\n");
  };

  it("do not show what a guard redacted, while the model's conversation keeps it", async () => {
    const receiver = await startReceiver([]);
    const provider = await startReceiver([
      modelAnswer(`I send ${CANARY}`, { note: `a "${CANARY}" b`, count: 12345678901234567890n }),
      modelAnswer(`I sent ${CANARY}`),
    ]);
    tracker.behave = ({ method, id: rawId = "" }) =>
      method === "tools/call" ? { status: 200, body: resultBody(rawId, "Kept CANARY-beef") } : "json";
    await create("Redacted", {
      provider: { type: "openai-compatible", base_url: provider.url },
      notify_url: receiver.url,
    });
    const { id } = await invoke("redacted");
    const done = await until("redacted", id, "completed");
    assert.equal(done.output, `I sent ${SHOWN}`);
    const [text, called, result] = await stepsOf("redacted", id);
    assert.equal(text?.text, `I send ${SHOWN}`);
    assert.deepEqual(
      [called?.arguments, called?.guard, called?.guard_action],
      [`{"note":"a \\"${SHOWN}\\" b","count":12345678901234567890}`, "numbers", "redact"],
    );
    assert.deepEqual([result?.text, result?.guard, result?.guard_action], [`Kept ${SHOWN}`, "numbers", "redact"]);
    const sent = tracker.seen.find(({ method }) => method === "tools/call");
    assert.ok(sent?.body.includes(SHOWN) && !sent.body.includes(CANARY));
    assert.ok(provider.bodies[1]?.includes(CANARY), "the model reads what it wrote");
    assert.ok(!provider.bodies[1]?.includes("CANARY-beef"));
    for (let tries = 0; receiver.bodies.length === 0 && tries < 200; tries++) await sleep(50);
    assert.ok(receiver.bodies[0]?.includes(SHOWN));
    assert.ok(!receiver.bodies.join().includes("CANARY"));
    assert.ok(!(await traces("redacted", id)).includes("CANARY"));
    await provider.close();
    await receiver.close();
  });

  it("do not show what a guard redacts in the input and in answers before a call, while the model gets it", async () => {
    const answer = modelAnswer(`You sent ${CANARY}, and I know CANARY-beef. Also BLOCKED-2b`);
    const provider = await startReceiver([answer, modelAnswer("Over")]);
    await create("Told", { provider: { type: "openai-compatible", base_url: provider.url } });
    const invoked = await invoke("told", `Use "${CANARY}"`);
    assert.equal(invoked.input, `Use "${SHOWN}"`);
    const done = await until("told", invoked.id, "completed");
    const shown = `You sent ${SHOWN}, and I know ${SHOWN}. Also BLOCKED-2b`;
    assert.deepEqual([done.input, done.output], [`Use "${SHOWN}"`, shown]);
    assert.equal((await stepsOf("told", done.id))[0]?.text, shown);
    assert.ok(provider.bodies[0]?.includes(CANARY), "the model gets the input as it was given");
    assert.ok(!(await traces("told", done.id)).includes("CANARY"));
    const row = database.databases.main.selectFrom("agent_sessions").select("sealed_input").where("id", "=", done.id);
    assert.equal((await row.executeTakeFirst())?.sealed_input, null, "it is deleted at the end");
    const message = `/api/background-agents/told/sessions/${done.id}/messages`;
    const followed = await call("POST", message, { input: "And CANARY-cafe" });
    await until("told", followed.id, "completed");
    assert.ok(provider.bodies[1]?.includes("CANARY-cafe"));
    assert.ok(!(await traces("told", followed.id)).includes("CANARY"));
    await provider.close();
  });

  it("have metadata after redaction, and schedules are refused if a guard would redact them", async () => {
    await create("Noted", { provider: { type: "scripted", script: [{ text: "Done" }] } });
    const metadata = { ticket: 7, note: `for "${CANARY}"`, nested: { list: ["BLOCKED-2b", CANARY] } };
    const { id } = await call("POST", "/api/background-agents/noted/invoke", { input: "Go", metadata });
    const done = await until("noted", id, "completed");
    const shown = { ticket: 7, note: `for "${SHOWN}"`, nested: { list: ["BLOCKED-2b", SHOWN] } };
    assert.deepEqual(done.metadata, shown);
    assert.ok(!(await traces("noted", id)).includes("CANARY"));
    const triggers = { schedule: { cron: "0 9 * * *", input: `Use ${CANARY}` } };
    const message =
      "triggers.schedule.input: has a text that the guard numbers removes, but schedules are stored unchanged. Remove that text";
    const changed = await service.api("PATCH", "/api/background-agents?slug=noted", { triggers });
    assert.deepEqual([changed.status, changed.body], [400, { code: "INVALID_FORMAT", message }]);
    const fields = { name: "Scheduled", instructions: "Help.", model: "m", provider: { type: "scripted", script: [] } };
    const created = await service.api("POST", "/api/background-agents", { ...fields, triggers });
    assert.deepEqual([created.status, created.body.message], [400, message]);
    const harmless = { schedule: { cron: "0 9 * * *", input: "Use BLOCKED-2b" } };
    assert.equal((await service.api("PATCH", "/api/background-agents?slug=noted", { triggers: harmless })).status, 200);
  });

  it("do not show what a guard redacts in inputs of webhooks, while another platform gets them", async () => {
    const runner = await startReceiver([]);
    const created = await service.api("POST", "/api/background-agents", {
      ...{ name: "Triggered", instructions: "Help.", model: "m", status: "active", platform: "webhook" },
      platform_config: { url: runner.url, secret: SECRET },
      limits: { max_concurrent: 2 },
      triggers: { webhook: { enabled: true, secret: SECRET } },
    });
    assert.equal(created.status, 201, created.text);
    const body = `Hook ${CANARY}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", SECRET).update(`${timestamp}.${body}`).digest("hex");
    const signed = { "x-timestamp": timestamp, "x-signature-256": `sha256=${signature}`, "x-delivery-id": "one" };
    const hooked = await service.http("/hooks/agents/triggered", { method: "POST", body, headers: signed });
    assert.deepEqual([hooked.status, hooked.body.data?.input], [202, `Hook ${SHOWN}`], hooked.text);
    for (let tries = 0; runner.bodies.length === 0 && tries < 600; tries++) await sleep(50);
    assert.ok(runner.bodies[0]?.includes(CANARY), "the runner gets the input as it was given");
    const sealed = database.databases.main.selectFrom("agent_sessions").select(["input", "sealed_input"]);
    for (const { input, sealed_input } of await sealed.execute())
      assert.ok(!`${input}${sealed_input}`.includes("CANARY"), input);
    await runner.close();
  });

  it("have no arguments of calls that a guard blocked or held, or that no guard has seen", async () => {
    const calls = [
      modelAnswer("", { note: "BLOCKED-1a" }),
      modelAnswer("", { note: "HELD-1a" }),
      modelAnswer("", { note: CANARY }, "tracker__invented"),
      modelAnswer("Over"),
    ];
    const provider = await startReceiver(calls);
    await create("Withheld", { provider: { type: "openai-compatible", base_url: provider.url } });
    const { id } = await invoke("withheld");
    const { approval_id: approval } = await until("withheld", id, "waiting_approval");
    const waiting = await stepsOf("withheld", id);
    assert.equal(waiting.filter(({ type }) => type === "tool_call").length, 2, "the held call is shown");
    await call("POST", `/api/guards/approvals/${approval}/decision`, { decision: "approve" });
    await until("withheld", id, "completed");
    const steps = await stepsOf("withheld", id);
    assert.deepEqual(
      steps
        .filter(({ type }) => type === "tool_call")
        .map(({ arguments: input, guard, guard_action }) => [input, guard, guard_action]),
      [
        [null, "blocked", "block"],
        [null, "held", "require_approval"],
        [null, null, null],
      ],
    );
    const sent = tracker.seen.filter(({ method }) => method === "tools/call");
    assert.deepEqual([sent.length, sent[0]?.body.includes("HELD-1a")], [1, true]);
    assert.doesNotMatch(await traces("withheld", id), /BLOCKED-1a|HELD-1a|CANARY/);
    await provider.close();
  });

  it("apply guards to what a runner reports", async () => {
    const runner = await startReceiver([]);
    await create("Reported", { platform: "webhook", platform_config: { url: runner.url, secret: SECRET } });
    const { id } = await invoke("reported");
    await until("reported", id, "running");
    const steps = [
      { index: 0, type: "model", text: `I send ${CANARY}` },
      { index: 1, type: "tool_call", tool_name: "tracker__find", arguments: `{"note":"${CANARY}","n":1.0}` },
      { index: 2, type: "tool_result", tool_name: "tracker__find", text: "Kept CANARY-beef" },
      { index: 3, type: "tool_call", tool_name: "renamed", arguments: '{"note":"BLOCKED-1a"}' },
      { index: 4, type: "tool_call", tool_name: "tracker__find", arguments: "CANARY-beef {" },
    ];
    const body = JSON.stringify({ status: "completed", output: `Sent ${CANARY}`, steps });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", SECRET).update(`${timestamp}.${body}`).digest("hex");
    const headers = { "x-timestamp": timestamp, "x-signature-256": `sha256=${signature}` };
    const path = `/api/background-agents/reported/sessions/${id}/report`;
    const json = { "content-type": "application/json" };
    const report = await service.http(path, { method: "POST", body, headers: { ...json, ...headers } });
    assert.deepEqual([report.status, report.body.data?.output], [200, `Sent ${SHOWN}`], report.text);
    assert.deepEqual(
      (await stepsOf("reported", id)).map(({ text, arguments: input, guard_action }) => [text, input, guard_action]),
      [
        [`I send ${SHOWN}`, null, null],
        [null, `{"note":"${SHOWN}","n":1.0}`, "redact"],
        [`Kept ${SHOWN}`, null, "redact"],
        [null, null, "block"],
        [null, null, "redact"],
      ],
    );
    assert.doesNotMatch(await traces("reported", id), /BLOCKED-1a|CANARY/);
    await runner.close();
  });

  it("apply guards to the events of the Managed Agents API", async () => {
    const stub = await startManagedAgentsStub();
    const platform_config = { base_url: stub.url, environment_id: "env_1", vault_ids: ["vlt_1"], api_key: "key" };
    await create("Managed", { platform: "anthropic", platform_config });
    await call("POST", "/api/background-agents/managed/sync");
    const { id } = await invoke("managed");
    for (let tries = 0; stub.sessions.size === 0 && tries < 200; tries++) await sleep(50);
    const [remoteId = ""] = stub.sessions.keys();
    for (let tries = 0; stub.sessions.get(remoteId)?.status !== "running" && tries < 200; tries++) await sleep(50);
    stub.finish(remoteId, `Sent ${CANARY}`, { name: "tracker__find", input: { note: CANARY } });
    const done = await until("managed", id, "completed");
    assert.equal(done.output, `Sent ${SHOWN}`);
    const [called] = await stepsOf("managed", id);
    assert.deepEqual([called?.arguments, called?.guard], [`{"note":"${SHOWN}"}`, "numbers"]);
    assert.doesNotMatch(await traces("managed", id), /CANARY/);
    await stub.close();
  });
});

function resultBody(rawId: string, text: string): string {
  return `{"jsonrpc":"2.0","id":${rawId},"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}]}}`;
}

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createSyncedServer } from "#test/factories";
import { publishGuards } from "#test/guard-records";
import { type OwnService, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const WORD = { type: "keyword", name: "Money", config: { words: ["transfer"] } };
const APPROVED = {
  slug: "money",
  name: "Payments",
  message: "Ask finance.",
  action: "require_approval",
  checks: [WORD],
};
const SECRET_WORD = { type: "keyword", name: "Word", config: { words: ["forbidden"] } };
const BLOCKED = { slug: "word", name: "Word", message: "Not this.", action: "block", checks: [SECRET_WORD] };

forEachDatabase("agents", (open) => {
  let database: TestDatabase;
  let one: OwnService;
  let two: OwnService;
  let tracker: RawUpstream;

  before(async () => {
    database = await open();
    one = await startService(database, {});
    two = await startService(database, {});
    tracker = await startRawUpstream({ tools: [{ name: "find", inputSchema: {} }] });
    await createSyncedServer(one, "Tracker", tracker.url);
    await publishGuards(one, database.databases, [APPROVED, BLOCKED]);
  });
  after(async () => {
    await one?.close();
    await two?.close();
    await tracker?.close();
  });
  beforeEach(() => {
    tracker.seen.length = 0;
    tracker.behave = () => "json";
  });

  /** Both services accept the token of the first. */
  const api = (service: OwnService, method: string, path: string, body?: object) =>
    service.api(method, path, body, { authorization: `Bearer ${one.token}` });
  const call = async (method: string, path: string, body?: object, service = one) => {
    const answer = await api(service, method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const scripted = (script: readonly object[]) => ({ type: "scripted", script });
  const create = async (name: string, script: readonly object[], more: object = {}) => {
    const body = {
      name,
      instructions: "Help.",
      model: "scripted",
      provider: scripted(script),
      status: "active",
      ...more,
    };
    const agent = await call("POST", "/api/background-agents", body);
    await createGroup(one, `Group of ${name}`, { slugs: ["tracker"], emails: [agent.identity] });
    return agent;
  };
  const invoke = (slug: string, input: string, more: object = {}, service = one) =>
    call("POST", `/api/background-agents/${slug}/invoke`, { input, wait_seconds: 30, ...more }, service);
  const steps = async (slug: string, id: string) =>
    (await call("GET", `/api/background-agents/${slug}/sessions/${id}/steps`)) as Record<string, unknown>[];
  const session = (slug: string, id: string) => call("GET", `/api/background-agents/${slug}/sessions/${id}`);
  const until = async (slug: string, id: string, status: string) => {
    for (let tries = 0; tries < 300; tries++) {
      const seen = await session(slug, id);
      if (seen.status === status) return seen;
      await sleep(50);
    }
    assert.fail(`${status} was not reached: ${JSON.stringify(await session(slug, id))}`);
  };

  it("call tools as their machine user, and report each step", async () => {
    const script = [{ tool: "tracker__find", arguments: { q: 1 } }, { text: "Found: {{last_result}}" }];
    const agent = await create("Finder", script);
    const done = await invoke("finder", "Find it");
    assert.deepEqual([done.status, done.error, done.trigger], ["completed", null, "api"]);
    assert.match(done.output, /^Found: /);
    assert.deepEqual(
      (await steps("finder", done.id)).map(({ type, tool_name, is_error }) => [type, tool_name, is_error]),
      [
        ["model", null, false],
        ["tool_call", "tracker__find", false],
        ["tool_result", "tracker__find", false],
        ["model", null, false],
      ],
    );
    assert.deepEqual([done.usage.steps, done.usage.tool_calls], [2, 1]);
    assert.ok(done.usage.input_tokens > 0);
    // The other replica may have run it; then the log of this one has its call a little later.
    const logged = async () => (await one.api("GET", `/api/logs?kind=calls&user=${agent.identity}`)).body.data;
    for (let tries = 0; tries < 300 && (await logged()).length === 0; tries++) await sleep(50);
    assert.deepEqual(
      (await logged()).map((row: Record<string, unknown>) => [row.tool, row.agent_slug, row.agent_session_id]),
      [["find", "finder", done.id]],
    );
    const filtered = async (query: string) => (await one.api("GET", `/api/logs?kind=calls&${query}`)).body.data.length;
    assert.deepEqual([await filtered("agent=finder"), await filtered("agent=other")], [1, 0]);
    assert.equal(await filtered(`agent_session=${done.id}`), 1);
    const tokens = database.databases.main.selectFrom("credentials").select("id").where("kind", "=", "agent");
    assert.deepEqual(await tokens.execute(), [], "its token ends with the session");
  });

  it("give refused, blocked and unknown tools back to the model", async () => {
    const script = [
      { tool: "tracker__find", arguments: { q: "forbidden" } },
      { tool: "tracker__missing" },
      { text: "Gave up: {{last_result}}" },
    ];
    await create("Blocked", script);
    const done = await invoke("blocked", "Go");
    assert.equal(done.status, "completed");
    assert.match(done.output, /Unknown tool: tracker__missing/);
    const [, , result] = await steps("blocked", done.id);
    assert.deepEqual([result?.type, result?.is_error, result?.guard], ["tool_result", true, "word"]);
    assert.equal(tracker.seen.filter(({ method }) => method === "tools/call").length, 0);
  });

  it("wait for an approval and continue with the decision", async () => {
    await create("Payer", [{ tool: "tracker__find", arguments: { transfer: 1 } }, { text: "Paid" }]);
    for (const [decision, expected] of [
      ["approve", 1],
      ["deny", 0],
    ] as const) {
      tracker.seen.length = 0;
      const started = await invoke("payer", decision, { wait_seconds: 0 });
      const { approval_id: id } = await until("payer", started.id, "waiting_approval");
      await call("POST", `/api/guards/approvals/${id}/decision`, { decision }, two);
      const done = await until("payer", started.id, "completed");
      assert.deepEqual([done.output, done.approval_id], ["Paid", null]);
      assert.equal(tracker.seen.filter(({ method }) => method === "tools/call").length, expected);
      assert.ok((await steps("payer", started.id)).some(({ type }) => type === "approval"));
    }
  });

  it("end at their limits, when they are canceled, and when the provider fails", async () => {
    const endless = Array.from({ length: 50 }, () => ({ tool: "tracker__find" }));
    await create("Endless", endless, { limits: { max_steps: 3 } });
    const limited = await invoke("endless", "Go");
    assert.deepEqual([limited.status, limited.error.code, limited.usage.steps], ["failed", "limit_exceeded", 3]);
    await create("Broken", [{ error: "No such model", status: 404 }]);
    const broken = await invoke("broken", "Go");
    assert.deepEqual([broken.status, broken.error.code], ["failed", "provider_error"]);
    assert.match(broken.error.message, /404.*No such model/);
    await create("Slow", [{ tool: "tracker__find" }, { text: "Late" }]);
    tracker.behave = () => "hang";
    const slow = await invoke("slow", "Go", { wait_seconds: 0 });
    await until("slow", slow.id, "running");
    await call("POST", `/api/background-agents/slow/sessions/${slow.id}/cancel`);
    assert.equal((await until("slow", slow.id, "canceled")).output, null);
    const again = await one.api("POST", `/api/background-agents/slow/sessions/${slow.id}/cancel`);
    assert.deepEqual([again.status, again.body], [409, { code: "CONFLICT", message: "the session has ended" }]);
  });

  it("follow up a session with what was said before", async () => {
    await create("Talker", [{ text: "Hello" }]);
    const first = await invoke("talker", "Hi");
    const next = await call("POST", `/api/background-agents/talker/sessions/${first.id}/messages`, { input: "More" });
    const done = await until("talker", next.id, "completed");
    assert.deepEqual([done.parent_session_id, done.output], [first.id, "Hello"]);
  });

  it("run each session once, in two processes, never more at a time than allowed", async () => {
    await create("Many", [{ tool: "tracker__find" }, { text: "Done" }], { limits: { max_concurrent: 3 } });
    const started = await Promise.all(
      Array.from({ length: 30 }, (_, n) => invoke("many", `Run ${n}`, { wait_seconds: 0 }, n % 2 ? one : two)),
    );
    for (const { id } of started) assert.equal((await until("many", id, "completed")).usage.tool_calls, 1);
    assert.equal(tracker.seen.filter(({ method }) => method === "tools/call").length, 30);
  });

  it("are refused with the field or the reason", async () => {
    const valid = { name: "Valid", instructions: "x", model: "m", provider: scripted([]) };
    const refused = async (body: object) => (await one.api("POST", "/api/background-agents", body)).body;
    const message = async (body: object) => (await refused({ ...valid, ...body })).message;
    assert.equal(await message({ instructions: " " }), "instructions: instructions is required");
    assert.equal(await message({ provider: { type: "openai-compatible" } }), "provider.base_url: base_url is required");
    assert.match(await message({ provider: { type: "other" } }), /^provider.type: /);
    assert.match(await message({ limits: { max_steps: 0 } }), /^limits.max_steps: must be between 1 and 200/);
    assert.equal(await message({ identity: "nobody@example.com" }), "identity: user not found: nobody@example.com");
    assert.deepEqual(await refused({ ...valid, skills: ["nope"] }), { error: "Skills not found: nope" });
    assert.deepEqual(await refused({ ...valid, toolkit: "nope" }), { error: "Toolkits not found: nope" });
    await call("POST", "/api/background-agents", valid);
    const idle = await one.api("POST", "/api/background-agents/valid/invoke", { input: "x" });
    assert.deepEqual([idle.status, idle.body], [409, { code: "CONFLICT", message: "agent is not active" }]);
    const empty = await one.api("POST", "/api/background-agents/valid/invoke", {});
    assert.equal(empty.body.message, "input: input is required");
    const missing = await one.api("POST", "/api/background-agents/none/invoke", { input: "x" });
    assert.deepEqual([missing.status, missing.body], [404, { error: "Background agent not found" }]);
  });

  for (const [type, path, answers] of [
    ["openai-compatible", "/v1", openAiAnswers],
    ["openai", "/v1", openAiAnswers],
    ["anthropic", "/v1", anthropicAnswers],
    ["google", "/v1beta", googleAnswers],
  ] as const) {
    it(`use a model over the protocol of ${type}, and never show its key`, async () => {
      const key = `canary-key-${type}`;
      const provider = await startProvider(answers());
      const settings = { type, base_url: `${provider.url}${path}`, api_key: key, headers: { "X-Team": "canary-team" } };
      await create(`Via ${type}`, [], { provider: settings });
      const done = await invoke(`via-${type}`, "Find it");
      assert.deepEqual([done.status, done.output, done.error], ["completed", "Found it", null]);
      assert.equal(tracker.seen.filter(({ method }) => method === "tools/call").length, 1);
      assert.ok(provider.requests.every(({ headers }) => headers["x-team"] === "canary-team"));
      assert.ok(provider.requests.every(({ headers }) => JSON.stringify(headers).includes(key)));
      const shown = await one.api("GET", `/api/background-agents/via-${type}`);
      assert.ok(!shown.text.includes("canary"));
      assert.deepEqual(
        [shown.body.data.provider.has_api_key, shown.body.data.provider.headers],
        [true, { "X-Team": null }],
      );
      await provider.close();
    });
  }
});

interface Provider {
  readonly url: string;
  readonly requests: { readonly headers: IncomingMessage["headers"]; readonly body: string }[];
  close(): Promise<void>;
}

/** Answers each request with the next body. */
async function startProvider(bodies: readonly object[]): Promise<Provider> {
  const requests: Provider["requests"] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = bodies[Math.min(requests.length, bodies.length - 1)];
    requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

function openAiAnswers(): object[] {
  const base = { id: "c1", object: "chat.completion", created: 1, model: "m" };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const called = { id: "call_1", type: "function", function: { name: "tracker__find", arguments: '{"q":1}' } };
  const first = { role: "assistant", content: null, tool_calls: [called] };
  const last = { role: "assistant", content: "Found it" };
  return [
    { ...base, usage, choices: [{ index: 0, message: first, finish_reason: "tool_calls" }] },
    { ...base, usage, choices: [{ index: 0, message: last, finish_reason: "stop" }] },
  ];
}

function anthropicAnswers(): object[] {
  const base = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_sequence: null };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const called = { type: "tool_use", id: "toolu_1", name: "tracker__find", input: { q: 1 } };
  return [
    { ...base, usage, content: [called], stop_reason: "tool_use" },
    { ...base, usage, content: [{ type: "text", text: "Found it" }], stop_reason: "end_turn" },
  ];
}

function googleAnswers(): object[] {
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  const answer = (part: object) => ({
    ...{ usageMetadata, candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }] },
  });
  return [answer({ functionCall: { name: "tracker__find", args: { q: 1 } } }), answer({ text: "Found it" })];
}

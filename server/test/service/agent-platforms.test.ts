import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createSyncedServer } from "#test/factories";
import { type ManagedAgentsStub, startManagedAgentsStub } from "#test/managed-agents-stub";
import { type HttpAnswer, type OwnService, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const SECRET = "a secret of the runner";
const KEY = "canary-platform-key";

forEachDatabase("platforms of agents", (open) => {
  let database: TestDatabase;
  let service: OwnService;
  let tracker: RawUpstream;
  let stub: ManagedAgentsStub;
  before(async () => {
    database = await open();
    service = await startService(database, {});
    tracker = await startRawUpstream({ tools: [{ name: "find", inputSchema: {} }] });
    await createSyncedServer(service, "Tracker", tracker.url);
  });
  beforeEach(async () => {
    stub = await startManagedAgentsStub();
  });
  afterEach(() => stub.close());
  after(async () => {
    await service?.close();
    await tracker?.close();
  });

  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.api(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const create = (name: string, more: object) =>
    call("POST", "/api/background-agents", { name, instructions: "Help.", model: "m", status: "active", ...more });
  const sync = (slug: string, direction?: string) =>
    call("POST", `/api/background-agents/${slug}/sync`, direction === undefined ? undefined : { direction });
  const invoke = (slug: string) => call("POST", `/api/background-agents/${slug}/invoke`, { input: "Find it" });
  const until = async (slug: string, id: string, status: string) => {
    for (let tries = 0; tries < 600; tries++) {
      const data = await call("GET", `/api/background-agents/${slug}/sessions/${id}`);
      if (data.status === status) return data;
      await sleep(50);
    }
    assert.fail(`${status} was not reached`);
  };
  const managed = (name: string) => {
    const platform_config = { base_url: stub.url, environment_id: "env_1", vault_ids: ["vlt_1"], api_key: KEY };
    return create(name, { platform: "anthropic", platform_config });
  };

  it("push a definition once, report drift, take remote changes, and import sessions", async () => {
    const created = await managed("Managed");
    assert.deepEqual([created.sync.status, created.platform_config.has_api_key], ["never", true]);
    assert.ok(!JSON.stringify(created).includes(KEY));
    const first = await sync("managed");
    assert.deepEqual([first.pushed, first.drift, first.sync.status], [true, [], "synced"]);
    const remote = stub.agents.get(first.sync.platform_agent_id);
    assert.equal(remote?.system, "Help.");
    assert.ok(!JSON.stringify(remote).includes("gh_"), "no credential of the gateway leaves");
    assert.equal((await sync("managed")).pushed, false);
    assert.ok(stub.requests.every(({ headers }) => headers["x-api-key"] === KEY));
    assert.ok(stub.requests.every(({ headers }) => headers["anthropic-beta"] === "managed-agents-2026-04-01"));
    await call("PATCH", "/api/background-agents?slug=managed", { instructions: "Help more." });
    assert.deepEqual(
      [(await sync("managed")).pushed, remote && stub.agents.get("agent_1")?.system],
      [true, "Help more."],
    );
    Object.assign(stub.agents.get("agent_1") ?? {}, { system: "Edited there.", version: 9 });
    const drifted = await sync("managed");
    assert.deepEqual([drifted.sync.status, drifted.pushed], ["drift", false]);
    assert.deepEqual(drifted.drift, [{ field: "instructions", local: "Help more.", remote: "Edited there." }]);
    const pulled = await sync("managed", "pull");
    assert.deepEqual([pulled.sync.status, pulled.drift], ["synced", []]);
    const { instructions, version } = await call("GET", "/api/background-agents/managed");
    assert.deepEqual([instructions, version], ["Edited there.", 3]);
    const events = [{ type: "user.message", content: [{ type: "text", text: "Started there" }] }];
    stub.sessions.set("sesn_x", { id: "sesn_x", agent: { id: "agent_1" }, status: "running", events });
    stub.finish("sesn_x", "Done there");
    assert.equal((await sync("managed")).sessions_imported, 1);
    assert.equal((await sync("managed")).sessions_imported, 0);
    const [imported] = await call("GET", "/api/background-agents/managed/sessions");
    assert.deepEqual([imported.input, imported.output, imported.usage.tool_calls], ["Started there", "Done there", 1]);
    stub.failWith = 529;
    const failed = await sync("managed");
    assert.deepEqual(
      [failed.sync.status, failed.sync.error],
      ["error", "The platform rejected the request (529): The stub fails"],
    );
  });

  it("import agents that exist only on the platform, once", async () => {
    stub.agents.set("agent_x", { id: "agent_x", name: "Made there", model: "m", system: "Be kind.", version: 4 });
    const body = {
      platform: "anthropic",
      platform_config: { base_url: stub.url, api_key: KEY, environment_id: "env_1" },
    };
    const [agent, ...more] = await call("POST", "/api/background-agents/sync", body);
    assert.deepEqual([agent.slug, agent.status, agent.instructions, more], ["made-there", "paused", "Be kind.", []]);
    assert.deepEqual([agent.sync.platform_agent_id, agent.identity !== null], ["agent_x", true]);
    assert.deepEqual(await call("POST", "/api/background-agents/sync", body), []);
    stub.failWith = 401;
    const failed = await service.api("POST", "/api/background-agents/sync", body);
    assert.match(failed.body.message, /^platform_config: The platform rejected the request \(401\)/);
  });

  it("run sessions at the Managed Agents API, and store what happened there", async () => {
    await managed("Remote");
    const early = await until("remote", (await invoke("remote")).id, "failed");
    assert.deepEqual(
      [early.error.code, early.error.message],
      ["platform_error", "The agent was never synced. Run a sync first"],
    );
    await sync("remote");
    const { id } = await invoke("remote");
    for (let tries = 0; stub.sessions.size === 0 && tries < 200; tries++) await sleep(50);
    const [remoteId = ""] = stub.sessions.keys();
    for (let tries = 0; stub.sessions.get(remoteId)?.status !== "running" && tries < 200; tries++) await sleep(50);
    stub.finish(remoteId, "Found it");
    const done = await until("remote", id, "completed");
    assert.deepEqual([done.output, done.platform_session_id, done.usage.input_tokens], ["Found it", remoteId, 12]);
    const steps = await call("GET", `/api/background-agents/remote/sessions/${id}/steps`);
    assert.deepEqual(
      steps.map(({ type, tool_name }: Record<string, unknown>) => [type, tool_name]),
      [
        ["tool_call", "find"],
        ["tool_result", "find"],
        ["model", null],
      ],
    );
  });

  it("start a session at a runner, which calls tools and reports, signed in both directions", async () => {
    const runner = await startRunner();
    const platform_config = { url: runner.url, secret: SECRET };
    const agent = await create("External", { platform: "webhook", platform_config });
    await createGroup(service, "External", { slugs: ["tracker"], emails: [agent.identity] });
    assert.ok(!JSON.stringify(agent).includes(SECRET));
    const { id } = await invoke("external");
    const { headers, body } = await runner.next();
    const expected = createHmac("sha256", SECRET).update(`${headers["x-timestamp"]}.${body}`).digest("hex");
    assert.equal(headers["x-signature-256"], `sha256=${expected}`);
    const message = JSON.parse(body);
    assert.deepEqual([message.session_id, message.input, message.agent.slug], [id, "Find it", "external"]);
    await until("external", id, "running");
    const params = { name: "tracker__find", arguments: {} };
    const called = await service.mcp(message.gateway.token, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    assert.ok(called.body.result, called.text);
    const path = new URL(message.report_url).pathname;
    const report = (given: object, { secret = SECRET, at = Date.now() } = {}) => {
      const text = JSON.stringify(given);
      const timestamp = String(Math.floor(at / 1000));
      const signature = createHmac("sha256", secret).update(`${timestamp}.${text}`).digest("hex");
      const signed = { "x-timestamp": timestamp, "x-signature-256": `sha256=${signature}` };
      return service.http(path, {
        method: "POST",
        body: text,
        headers: { "content-type": "application/json", ...signed },
      });
    };
    const steps = [{ index: 0, type: "tool_call", tool_name: "tracker__find", arguments: "{}" }];
    const wrong = await report({ status: "completed" }, { secret: "wrong" });
    assert.deepEqual([wrong.status, wrong.body], [401, { error: "invalid_signature" }]);
    assert.equal((await report({ status: "nonsense" }, { secret: "wrong" })).status, 401, "before the body is read");
    assert.equal((await report({ status: "completed" }, { at: Date.now() - 301_000 })).status, 401);
    for (let times = 0; times < 2; times++) assert.equal((await report({ status: "running", steps })).status, 200);
    const done = await report({
      status: "completed",
      output: "Found",
      steps: [{ index: 1, type: "model", text: "Found" }],
    });
    assert.deepEqual([done.status, done.body.data.output, done.body.data.usage.tool_calls], [200, "Found", 1]);
    assert.equal((await report({ status: "failed" })).status, 409, "it has ended");
    const late = await service.mcp(message.gateway.token, { jsonrpc: "2.0", id: 2, method: "tools/call", params });
    assert.equal(late.status, 401, "the token ends with the session");
    await runner.close();
    const unreachable = await until("external", (await invoke("external")).id, "failed");
    assert.match(unreachable.error.message, /^The platform cannot be reached/);
  });

  it("refuse wrong reports without a write transaction, limit them, and accept a valid one", async () => {
    const runner = await startRunner();
    await create("Attacked", { platform: "webhook", platform_config: { url: runner.url, secret: SECRET } });
    const { id } = await invoke("attacked");
    await runner.next();
    await until("attacked", id, "running");
    const report = (secret: string) => {
      const text = JSON.stringify({ status: "completed", output: "Done" });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac("sha256", secret).update(`${timestamp}.${text}`).digest("hex");
      const signed = { "x-timestamp": timestamp, "x-signature-256": `sha256=${signature}` };
      const headers = { "content-type": "application/json", ...signed };
      const path = `/api/background-agents/attacked/sessions/${id}/report`;
      return service.http(path, { method: "POST", body: text, headers });
    };
    const answers: HttpAnswer[] = [];
    const limited = () => answers.find(({ status }) => status === 429);
    // With SQLite, a write transaction of the service would wait until this one ends, and this one never would.
    await database.databases.main.transaction().execute(async (tx) => {
      const locked = tx.updateTable("agents").set({ description: "locked" }).where("slug", "=", "attacked");
      await locked.execute();
      // 100 per minute. The minute of earlier wrong reports can end meanwhile.
      while (!limited() && answers.length < 300)
        answers.push(...(await Promise.all(Array.from({ length: 20 }, () => report("wrong")))));
    });
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401, 429]));
    assert.deepEqual(limited()?.body, { error: "Too many requests" });
    assert.ok(Number(limited()?.headers["retry-after"]) > 0);
    assert.equal((await report(SECRET)).status, 200);
    await runner.close();
  });

  it("end a session that is canceled or whose agent is deleted, and one whose runner does not report in time", async () => {
    const runner = await startRunner();
    const platform_config = { url: runner.url, secret: SECRET };
    await create("Silent", { platform: "webhook", platform_config, limits: { max_concurrent: 2 } });
    const first = await invoke("silent");
    await runner.next();
    await until("silent", first.id, "running");
    await call("POST", `/api/background-agents/silent/sessions/${first.id}/cancel`);
    assert.equal(JSON.parse((await runner.next()).body).type, "session.cancel");
    const second = await invoke("silent");
    await runner.next();
    await until("silent", second.id, "running");
    for (let tries = 0; tries < 100; tries++) {
      const past = { claimed_until: Date.now() - 1 };
      const expired = database.databases.main.updateTable("agent_sessions").set(past);
      const claimed = expired.where("id", "=", second.id).where("claimed_by", "=", "platform");
      if ((await claimed.returning("id").execute()).length > 0) break;
      await sleep(50);
    }
    assert.equal((await until("silent", second.id, "timed_out")).error.code, "timed_out");
    const third = await invoke("silent");
    await runner.next();
    await until("silent", third.id, "running");
    assert.equal((await service.api("DELETE", "/api/background-agents?slug=silent")).status, 409);
    assert.equal((await service.api("DELETE", "/api/background-agents?slug=silent&force=true")).status, 200);
    const { type, session_id: id } = JSON.parse((await runner.next()).body);
    assert.deepEqual([type, id], ["session.cancel", third.id]);
    await runner.close();
  });

  it("are refused with the field", async () => {
    const message = async (more: object) => {
      const body = { name: "Invalid", instructions: "x", model: "m", ...more };
      return (await service.api("POST", "/api/background-agents", body)).body.message;
    };
    assert.match(await message({}), /^provider: provider is required, because /);
    assert.equal(await message({ instructions: "é".repeat(40_000) }), "instructions: must be at most 64 KiB");
    assert.equal(await message({ platform: "webhook" }), "platform_config.url: url is required");
    const url = "https://runner.example.com";
    assert.equal(
      await message({ platform: "webhook", platform_config: { url } }),
      "platform_config.secret: secret is required",
    );
    assert.equal(
      await message({ platform: "anthropic", platform_config: { url, api_key: KEY } }),
      "platform_config.url: use base_url for anthropic",
    );
    assert.equal(
      await message({ platform: "webhook", platform_config: { base_url: url, secret: SECRET } }),
      "platform_config.base_url: use url for webhook",
    );
    assert.equal(await message({ platform: "anthropic" }), "platform_config.api_key: api_key is required");
    assert.match(
      await message({ platform: "webhook", platform_config: { url: "http://169.254.1.1", secret: SECRET } }),
      /^platform_config.url: /,
    );
  });
});

async function startRunner() {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(202).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async next() {
      for (let tries = 0; tries < 400; tries++) {
        const first = received.shift();
        if (first) return first;
        await sleep(50);
      }
      assert.fail("nothing was received");
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { DefaultProvider } from "#lib/default-provider";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { modelAnswer, startReceiver } from "#test/model-provider";
import { type OwnService, startService } from "#test/start-service";

const KEY = "the operator's key";
const AGENT = { name: "Plain", instructions: "Help.", status: "active" };
const REQUIRED = "provider: provider is required, because this installation has no default provider";

forEachDatabase("agents without a provider", (open) => {
  let database: TestDatabase;
  let service: OwnService;
  /** The first service creates it; those that follow accept it. */
  let token: string | undefined;
  const receivers: { close(): Promise<void> }[] = [];
  /** All answers of the API. */
  const seen: string[] = [];

  const restart = async (defaultProvider?: DefaultProvider) => {
    await service?.close();
    service = await startService(database, { config: { defaultProvider } });
    token ??= service.token;
  };
  const receive = async (answers: readonly object[]) => {
    const receiver = await startReceiver(answers);
    receivers.push(receiver);
    return receiver;
  };
  before(async () => {
    database = await open();
  });
  after(async () => {
    await service?.close();
    for (const receiver of receivers) await receiver.close();
  });

  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.api(method, path, body, { authorization: `Bearer ${token}` });
    seen.push(answer.text);
    return answer;
  };
  const data = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const invoke = () => data("POST", "/api/background-agents/plain/invoke", { input: "Go", wait_seconds: 60 });
  const shown = () => data("GET", "/api/background-agents/plain");
  const patched = (body: object) => call("PATCH", "/api/background-agents?slug=plain", body);

  it("use the operator's, which is resolved when a session starts", async () => {
    const one = await receive([modelAnswer("From one")]);
    await restart({ type: "openai-compatible", model: "first", baseUrl: one.url, apiKey: KEY });
    assert.deepEqual(await data("GET", "/api/agent-provider"), {
      ...{ type: "openai-compatible", model: "first", base_url: one.url, has_api_key: true },
    });
    const { provider, model, resolved_provider, version } = await data("POST", "/api/background-agents", AGENT);
    assert.deepEqual([provider, model, version], [null, null, 1]);
    assert.deepEqual(resolved_provider, {
      ...{ source: "installation", type: "openai-compatible", model: "first", base_url: one.url },
    });
    assert.equal((await invoke()).output, "From one");
    assert.deepEqual([one.credentials, JSON.parse(one.bodies[0] ?? "").model], [[`Bearer ${KEY}`], "first"]);
    const two = await receive([modelAnswer("From two"), modelAnswer("With its own model")]);
    await restart({ type: "openai-compatible", model: "second", baseUrl: two.url, apiKey: undefined });
    assert.equal((await shown()).resolved_provider.model, "second");
    assert.equal((await invoke()).output, "From two");
    assert.equal((await patched({ model: "own" })).body.data.resolved_provider.model, "own");
    assert.equal((await invoke()).output, "With its own model");
    assert.deepEqual(
      two.bodies.map((body) => JSON.parse(body).model),
      ["second", "own"],
    );
    await data("PATCH", "/api/background-agents?slug=plain", { model: null });
  });

  it("fail in a session and are rejected in requests while the operator has none", async () => {
    await restart();
    assert.equal(await data("GET", "/api/agent-provider"), null);
    assert.equal((await shown()).resolved_provider, null);
    const { status, error } = await invoke();
    assert.deepEqual([status, error.code], ["failed", "provider_error"]);
    assert.match(error.message, /AGENT_PROVIDER/);
    const created = await call("POST", "/api/background-agents", { ...AGENT, name: "Other" });
    assert.deepEqual([created.status, created.body.message], [400, REQUIRED]);
    const elsewhere = await call("POST", "/api/background-agents", { ...AGENT, platform: "webhook" });
    assert.equal(elsewhere.body.message, "model: model is required");
    assert.equal((await patched({ description: "Still editable" })).status, 200);
    const script = { type: "scripted", script: [{ text: "Own" }] };
    assert.equal((await patched({ provider: script })).body.message, "model: model is required");
    const own = (await patched({ provider: script, model: "m" })).body.data;
    assert.deepEqual([own.resolved_provider.source, own.version], ["agent", 4]);
    assert.equal((await invoke()).output, "Own");
    assert.equal((await patched({ provider: null })).body.message, REQUIRED);
    assert.equal((await patched({ model: null })).body.message, "model: model is required");
  });

  it("round-trip through configuration files", async () => {
    await restart({ type: "anthropic", model: "m", baseUrl: undefined, apiKey: KEY });
    await data("PATCH", "/api/background-agents?slug=plain", { provider: null, model: null });
    const { config: exported } = await data("GET", "/api/config");
    const [agent] = exported.agents;
    assert.deepEqual([agent.provider, agent.model], [null, null]);
    const plan = (config: object) => data("POST", "/api/config/plan", { config });
    assert.deepEqual(await plan(exported), []);
    const own = { ...exported, agents: [{ ...agent, model: "x", provider: { type: "scripted" } }] };
    await data("POST", "/api/config/apply", { config: own });
    assert.equal((await shown()).resolved_provider.source, "agent");
    assert.equal((await plan(exported)).length, 1);
    await data("POST", "/api/config/apply", { config: exported });
    assert.deepEqual([(await shown()).provider, (await shown()).resolved_provider.model], [null, "m"]);
    const second = { slug: "second", name: "Second", instructions: "Help.", provider: null };
    await data("POST", "/api/config/apply", { config: { ...exported, agents: [agent, second] } });
    const created = await data("GET", "/api/background-agents/second");
    assert.equal(created.resolved_provider.source, "installation");
  });

  it("never show the key", async () => {
    const { main } = database.databases;
    const stored = [
      await main.selectFrom("agents").selectAll().execute(),
      await main.selectFrom("agent_sessions").selectAll().execute(),
      await main.selectFrom("audit").selectAll().execute(),
    ];
    assert.ok(seen.length > 15);
    assert.ok(!`${seen.join("\n")}${JSON.stringify(stored)}`.includes(KEY));
  });
});

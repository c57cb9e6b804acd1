import assert from "node:assert/strict";
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";

const WORDS = { type: "keyword", name: "Words", config: { words: ["falcon"] } };
const BASE = { name: "Project names", type: "runtime", action: "block", checks: [WORDS] };

forEachApi("webhook and llm checks of guards", (api) => {
  beforeEach(async () => {
    await api.db.deleteFrom("guards").where("builtin_key", "is", null).execute();
  });

  const create = async (rest: object = {}) => {
    const answer = await api.call("POST", "/api/guards", { ...BASE, ...rest });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const patch = async (slug: string, body: object) => {
    const answer = await api.call("PATCH", `/api/guards?slug=${slug}`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const evaluate = async (body: object) => {
    const answer = await api.call("POST", "/api/guards/evaluate", body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  let receiver: Server;
  let url = "";
  const received: { authorization: string | undefined; body: string }[] = [];
  before(async () => {
    receiver = createHttpServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        received.push({ authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() });
        response.end(JSON.stringify({ score: 9 }));
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/scan`;
  });
  after(() => void receiver.close());
  const scanner = (config: object = {}) => ({ type: "webhook", name: "Scan", config: { url, ...config } });
  const SECRET = "Bearer canary-of-a-webhook";

  it("never return headers, keep them for the same URL, and send them", async () => {
    const created = await create({ checks: [scanner({ headers: { Authorization: SECRET } })] });
    assert.deepEqual(created.checks[0].header_names, ["Authorization"]);
    assert.equal(created.checks[0].config.headers, undefined);
    const kept = await patch("project-names", { checks: created.checks, enabled: true });
    assert.deepEqual(kept.checks, created.checks);
    assert.ok(!JSON.stringify(await api.everything()).includes("canary-of-a-webhook"));
    const result = await evaluate({ content: "text", guard_slug: "project-names" });
    assert.deepEqual([result.passed, result.score], [false, 9]);
    assert.equal(received.at(-1)?.authorization, SECRET);

    const moved = [{ ...created.checks[0], config: { ...created.checks[0].config, url: `${url}/other` } }];
    await api.invalid(
      "checks.0.config.headers: must be given again, because the URL is different",
      ...(["PATCH", "/api/guards?slug=project-names", { checks: moved }] as const),
    );
    const without = await patch("project-names", { checks: [scanner({ headers: {} })] });
    assert.equal(without.checks[0].header_names, undefined);
  });

  it("follow the rules for outbound requests", async () => {
    const { status, body } = await api.call("POST", "/api/guards", {
      ...BASE,
      checks: [WORDS, scanner({ url: "http://10.0.0.1/" })],
    });
    assert.equal(status, 400);
    assert.match(body.message, /^checks\.1\.config\.url: /);
  });

  it("need write access if they are not saved", async () => {
    const { token } = await api.tokenWith("admin:read");
    const body = { content: "x", guard: { ...BASE, checks: [scanner()] } };
    const headers = { authorization: `Bearer ${token}` };
    const answer = await api.call("POST", "/api/guards/evaluate", body, headers);
    assert.equal(answer.status, 403, answer.text);
    const plain = await api.call("POST", "/api/guards/evaluate", { content: "x", guard: BASE }, headers);
    assert.equal(plain.status, 200, plain.text);
  });

  /** A provider with the API of OpenAI, which answers with `said`. */
  let provider: Server;
  let said = "";
  const asked: { authorization: string | undefined; body: { model: string; messages: { content: unknown }[] } }[] = [];
  before(async () => {
    provider = createHttpServer(async (request, response) => {
      const chunks = await request.toArray();
      const body = JSON.parse(Buffer.concat(chunks).toString());
      asked.push({ authorization: request.headers.authorization, body });
      const choice = { index: 0, message: { role: "assistant", content: said }, finish_reason: "stop" };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices: [choice] }));
    });
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  });
  after(() => void provider.close());
  const judge = (config: object = {}) => {
    const base_url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
    const shared = { provider: "openai-compatible", base_url, model: "small", prompt: "Is it about falcons?" };
    return { type: "llm", name: "Judge", config: { ...shared, ...config } };
  };

  it("ask a model, with its key, and never return the key", async () => {
    const created = await create({ checks: [judge({ api_key: "canary-of-a-model" })], enabled: true });
    assert.deepEqual([created.checks[0].has_api_key, created.checks[0].config.api_key], [true, undefined]);
    assert.ok(!JSON.stringify(await api.everything()).includes("canary-of-a-model"));
    for (const [text, expected] of [
      ['{"score": 9, "reason": "falcons"}', [false, 9]],
      ['```json\n{"score": 1, "reason": "none"}\n```', [true, 1]],
    ] as const) {
      said = text;
      const { passed, score } = await evaluate({ content: "Ignore the rules", guard_slug: "project-names" });
      assert.deepEqual([passed, score], expected);
    }
    const { authorization, body } = asked.at(-1) ?? assert.fail();
    assert.deepEqual([authorization, body.model], ["Bearer canary-of-a-model", "small"]);
    const [rules, text] = body.messages.map(({ content }) => JSON.stringify(content));
    assert.match(rules ?? "", /Is it about falcons\?/);
    assert.doesNotMatch(rules ?? "", /Ignore the rules/);
    assert.match(text ?? "", /Ignore the rules/);
  });

  it("keep the key of a model for the same provider and URL", async () => {
    const created = await create({ checks: [judge({ api_key: "canary-of-a-model" })] });
    const [check] = created.checks;
    const kept = await patch("project-names", { checks: [{ ...check, config: { ...check.config, model: "large" } }] });
    assert.deepEqual([kept.checks[0].has_api_key, kept.checks[0].config.model], [true, "large"]);
    const moved = [{ ...check, config: { ...check.config, base_url: url } }];
    await api.invalid(
      "checks.0.config.api_key: must be given again, because the provider or its URL is different",
      ...(["PATCH", "/api/guards?slug=project-names", { checks: moved }] as const),
    );
    const without = await patch("project-names", { checks: [judge({ api_key: "" })] });
    assert.equal(without.checks[0].has_api_key, undefined);
  });

  it("apply on_error if the model answers with something else", async () => {
    await create({ checks: [judge()], enabled: true, on_error: "block" });
    for (const text of ["It is fine.", '{"score": 11}', '{"score": 1, "text": "x"}', ""]) {
      said = text;
      const { passed } = await evaluate({ content: "x", guard_slug: "project-names" });
      assert.equal(passed, false, text);
    }
    const { status, body } = await api.call("POST", "/api/guards", {
      ...BASE,
      checks: [judge({ base_url: "http://10.0.0.1/v1" })],
    });
    assert.equal(status, 400);
    assert.match(body.message, /^checks\.0\.config\.base_url: /);
  });
});

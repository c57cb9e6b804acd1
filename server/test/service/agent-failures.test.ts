import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { onSqlite } from "#test/databases";
import { createGroup, createSyncedServer } from "#test/factories";
import { type OwnService, startService } from "#test/start-service";
import { startRawUpstream } from "#test/upstreams/raw";

const TEN_MB = 10 * 1024 * 1024;

onSqlite("agents with a failing provider or identity", (open) => {
  let service: OwnService;
  before(async () => {
    service = await startService(await open(), {});
  });
  after(() => service?.close());

  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.api(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const create = (name: string, provider: object) => {
    const limits = { timeout_seconds: 10 };
    const agent = { name, instructions: "Help.", model: "m", status: "active", provider, limits };
    return call("POST", "/api/background-agents", agent);
  };
  const ended = async (slug: string) => {
    const { id } = await call("POST", `/api/background-agents/${slug}/invoke`, { input: "Go" });
    for (let tries = 0; tries < 600; tries++) {
      const data = await call("GET", `/api/background-agents/${slug}/sessions/${id}`);
      if (data.ended_at !== null) return data;
      await sleep(50);
    }
    assert.fail("the session did not end");
  };
  const endWith = async (name: string, answer: (response: ServerResponse) => void) => {
    const provider = await startProvider(answer);
    try {
      await create(name, { type: "openai-compatible", base_url: provider.url, api_key: "canary-key" });
      const session = await ended(name);
      assert.ok(!JSON.stringify(session).includes("canary-key"));
      return { session, requests: provider.requests() };
    } finally {
      await provider.close();
    }
  };

  it("fail as provider_error if the provider is away", async () => {
    const { url, close } = await startProvider(() => undefined);
    await close();
    await create("away", { type: "openai-compatible", base_url: url });
    const { status, error } = await ended("away");
    assert.deepEqual([status, error.code], ["failed", "provider_error"], error.message);
  });

  it("fail as provider_error if the provider sends garbage, and do not repeat the request", async () => {
    const { session, requests } = await endWith("garbage", (response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('data: {"choices": [<html>');
    });
    assert.deepEqual([session.status, session.error.code, requests], ["failed", "provider_error", 1]);
  });

  it("fail as provider_error if the provider sends 10 MB", async () => {
    const { session } = await endWith("large", (response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(`{"x":"${"y".repeat(TEN_MB)}"}`);
    });
    assert.deepEqual([session.status, session.error.code], ["failed", "provider_error"]);
    assert.ok(session.error.message.length <= 500);
  });

  it("fail as provider_error if the provider sends garbage in the middle of a stream, or cuts it off", async () => {
    const half = '{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Hal';
    const { session: streamed } = await endWith("streamed", (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${half}"}}]}\n\n`);
      response.end("data: \u0000<html>\n\n");
    });
    assert.deepEqual([streamed.status, streamed.error.code], ["failed", "provider_error"]);
    const { session: cut, requests } = await endWith("cut", (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write(half, () => response.socket?.destroy());
    });
    assert.deepEqual([cut.status, cut.output], ["failed", null], `${requests} requests`);
  });

  it("stop a model that calls tools forever at the limit of steps", async () => {
    const tracker = await startRawUpstream({ tools: [{ name: "find", inputSchema: {} }] });
    await createSyncedServer(service, "Tracker", tracker.url);
    const provider = await startProvider((response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(toolCall()));
    });
    const { identity } = await create("endless", { type: "openai-compatible", base_url: provider.url });
    await call("PATCH", "/api/background-agents?slug=endless", { limits: { max_steps: 5 } });
    await createGroup(service, "Endless", { slugs: ["tracker"], emails: [identity] });
    const { status, error, usage } = await ended("endless");
    assert.deepEqual([status, error.code, usage.steps, usage.tool_calls], ["failed", "limit_exceeded", 5, 5]);
    assert.equal(error.message, "The session reached its limit of 5 steps");
    assert.deepEqual([provider.requests(), tracker.count("tools/call")], [5, 5]);
    await provider.close();
    await tracker.close();
  });

  it("cut a tool result of 10 MB, for the transcript and for the model", async () => {
    const big = await startRawUpstream({
      tools: [{ name: "read", inputSchema: {} }],
      behave: ({ method, id = "" }) =>
        method === "tools/call"
          ? {
              status: 200,
              body: `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${"y".repeat(TEN_MB)}"}]}}`,
            }
          : "json",
    });
    await createSyncedServer(service, "Big", big.url);
    const sizes: number[] = [];
    const provider = await startProvider((response, body) => {
      sizes.push(body.length);
      const answer =
        sizes.length === 1 ? toolCall("big__read") : { ...toolCall(), choices: [{ index: 0, message: SAID }] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    const { identity } = await create("reader", { type: "openai-compatible", base_url: provider.url });
    await createGroup(service, "Readers", { slugs: ["big"], emails: [identity] });
    const { id, status, output, error } = await ended("reader");
    assert.deepEqual([status, output], ["completed", "Read it"], error?.message);
    const steps = await call("GET", `/api/background-agents/reader/sessions/${id}/steps`);
    const result = steps.find(({ type }: { type: string }) => type === "tool_result");
    assert.deepEqual([result.truncated, result.text.length, result.is_error], [true, 65_536, false]);
    const sent = sizes[1] ?? 0;
    assert.ok(sent > 256 * 1024 && sent < 300 * 1024, `the model got ${sent} bytes`);
    await provider.close();
    await big.close();
  });

  it("end as timed_out if the provider does not answer", async () => {
    const { session } = await endWith("slow", () => undefined);
    assert.deepEqual([session.status, session.error.code], ["timed_out", "timed_out"]);
  });

  it("repeat requests that the provider rejects with 429, and then continue", async () => {
    let times = 0;
    const message = { role: "assistant", content: "Finally" };
    const answer = { id: "c", object: "chat.completion", created: 1, model: "m", choices: [{ index: 0, message }] };
    const { session, requests } = await endWith("busy", (response) => {
      if (++times < 3) response.writeHead(429, { "retry-after": "0" }).end("{}");
      else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    assert.deepEqual([session.status, session.output, requests], ["completed", "Finally", 3]);
  });

  it("are paused when their machine user is deleted, and fail if they are activated without one", async () => {
    const { identity } = await create("orphan", { type: "scripted", script: [{ text: "Done" }] });
    await call("DELETE", `/api/users?email=${encodeURIComponent(identity)}`);
    const orphan = await call("GET", "/api/background-agents/orphan");
    assert.deepEqual([orphan.status, orphan.identity], ["paused", null]);
    const refused = await service.api("POST", "/api/background-agents/orphan/invoke", { input: "Go" });
    assert.equal(refused.status, 409);
    await call("PATCH", "/api/background-agents?slug=orphan", { status: "active" });
    const { status, error } = await ended("orphan");
    assert.deepEqual([status, error.code], ["failed", "gateway_error"]);
    assert.match(error.message, /machine user was deleted or disabled/);
  });

  it("say what to check if their machine user cannot use the toolkit", async () => {
    await call("POST", "/api/toolkits", { name: "Ungranted", tools: [] });
    await create("ungranted", { type: "scripted", script: [{ text: "Done" }] });
    await call("PATCH", "/api/background-agents?slug=ungranted", { toolkit: "ungranted" });
    const { error } = await ended("ungranted");
    assert.equal(error.code, "gateway_error");
    assert.match(error.message, /\(404\)\. Check that its toolkit is active, and that its machine user is in a group/);
  });
});

const SAID = { role: "assistant", content: "Read it" };

/** An answer of an OpenAI-compatible API that calls a tool. */
function toolCall(name = "tracker__find") {
  const called = { id: "call_1", type: "function", function: { name, arguments: "{}" } };
  const message = { role: "assistant", content: null, tool_calls: [called] };
  return { id: "c", object: "chat.completion", created: 1, model: "m", choices: [{ index: 0, message }] };
}

async function startProvider(answer: (response: ServerResponse, body: string) => void) {
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests++;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    answer(response, Buffer.concat(chunks).toString());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

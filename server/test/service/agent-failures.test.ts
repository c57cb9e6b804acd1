import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { onSqlite } from "#test/databases";
import { type OwnService, startService } from "#test/start-service";

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
});

async function startProvider(answer: (response: ServerResponse) => void) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    request.resume();
    answer(response);
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

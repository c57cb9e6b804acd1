import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { openTestPostgres, openTestSqlite, type TestDatabase } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { MCP_2025_11_25, readEvents } from "../gateway-kit.ts";
import { callText, requestText } from "../mcp-messages.ts";
import { ReadyProxy } from "../ready-proxy.ts";
import { type OwnService, startService } from "../start-service.ts";
import { until } from "../upstreams/caller.ts";
import { type RawUpstreamOptions, startRawUpstream } from "../upstreams/raw.ts";

const CALL = callText({ era: "legacy", id: "7", tool: "echo__echo", arguments: '{"n":1}' });
const RESTARTS = 4;

async function context(t: TestContext, database: TestDatabase, options: RawUpstreamOptions = {}) {
  const upstream = await startRawUpstream(options);
  const service = await startService(database);
  t.after(async () => {
    await service.close();
    await upstream.close();
    await database.close();
  });
  await createSyncedServer(service, "Echo", upstream.url);
  const bot = await createMachineUser(service, "bot");
  await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email] });
  return { upstream, service, bot };
}

it("a stopping service finishes calls in progress, ends streams cleanly, and accepts nothing new (OPS-1)", async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const database = await openTestSqlite();
  const { upstream, service, bot } = await context(t, database, {
    gate: ({ method }) => (method === "tools/call" ? released : undefined),
  });
  const version = [`"protocolVersion":"${MCP_2025_11_25}"`, '"capabilities":{}'];
  const begun = await service.mcp(bot.credential, requestText("legacy", "initialize", version));
  const session = { "mcp-session-id": String(begun.headers["mcp-session-id"]) };
  const headers = { authorization: `Bearer ${bot.credential}`, ...session };
  const stream = await readEvents(`${service.url}/mcp`, { method: "GET", headers });
  await stream.until(/^retry: \d+$/m);
  const inProgress = service.mcp(bot.credential, CALL);
  await until(() => upstream.count("tools/call") === 1);

  service.drain();
  const readiness = await service.http("/readyz");
  assert.deepEqual([readiness.status, readiness.body.reason], [503, "shutting down"]);
  assert.equal((await service.http("/livez")).status, 200);
  for (const answer of [
    await service.mcp(bot.credential, requestText("legacy", "tools/list")),
    await service.api("GET", "/api/groups"),
  ]) {
    assert.deepEqual([answer.status, answer.headers.connection], [200, "close"]);
  }

  let over = false;
  const closed = service.close({ keepConnections: true }).then(() => {
    over = true;
  });
  await stream.ended;
  await assert.rejects(service.http("/livez"), { code: "ECONNREFUSED" });
  assert.equal(over, false);
  release();
  const answer = await inProgress;
  assert.deepEqual([answer.status, answer.body.result.structuredContent], [200, { n: 1 }]);
  await closed;
});

it("replicas restarted one after another fail no call (OPS-1)", async (t) => {
  const database = await openTestPostgres();
  const { service: first, bot } = await context(t, database);
  let replicas: readonly [OwnService, OwnService] = [first, await startService(database)];
  const proxy = new ReadyProxy(() => replicas.map(({ url }) => url));
  t.after(async () => {
    proxy.close();
    for (const replica of replicas) await replica.close();
  });
  const failures: string[] = [];
  let calling = true;
  const keepCalling = async () => {
    while (calling) {
      const { status, text } = await proxy.post(bot.credential, CALL);
      if (status !== 200 || !text.includes('"structuredContent":{"n":1}')) failures.push(text);
    }
  };
  const callers = Array.from({ length: 8 }, keepCalling);
  for (let restart = 0; restart < RESTARTS; restart++) {
    const [old, other] = replicas;
    await until(() => proxy.served(old.url) > 0 && proxy.served(other.url) > 0);
    old.drain();
    await proxy.settled(old.url);
    await old.close();
    replicas = [other, await startService(database)];
  }
  calling = false;
  await Promise.all(callers);
  assert.deepEqual(failures, []);
});

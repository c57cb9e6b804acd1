import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { initializeRequest, readEvents, rpc } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { addAskingTools } from "#test/upstreams/asking-tools";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";

/** Without a load balancer, so that each test selects the process. */
forEachDatabase("an mcp session at several processes", (open) => {
  let database: TestDatabase;
  let services: [Service, Service];
  let upstream: EchoUpstream;
  let bot: MachineUser;
  /** Upstream sessions in which a caller has counted; listeners and the sync have others. */
  let counting = 0;
  /** The one in which a caller counted last. */
  let counted = { ended: false };

  /** Adds a tool that counts separately for each session. */
  function addTools(server: McpServer): void {
    addAskingTools(server);
    let count = 0;
    const session = { ended: false };
    server.server.onclose = () => {
      session.ended = true;
    };
    server.registerTool("count", {}, () => {
      counted = session;
      if (++count === 1) counting++;
      return { content: [{ type: "text", text: String(count) }] };
    });
  }

  before(async () => {
    database = await open();
    services = [await startService(database), await startService(database)];
    const [one, two] = services;
    upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addTools });
    await createSyncedServer(one, "Echo", upstream.url);
    bot = await createMachineUser(one, "bot");
    await createGroup(one, "bots", { slugs: ["echo"], emails: [bot.email] });
    await eventually(async () => (await two.mcp(bot.credential, rpc("tools/list"))).body.result?.tools.length > 0);
  });
  after(async () => {
    for (const service of services ?? []) await service.close();
    await upstream?.close();
  });

  async function eventually(condition: () => Promise<boolean>): Promise<void> {
    while (!(await condition())) await setTimeout(10);
  }
  async function begin(service: Service): Promise<string> {
    return String((await service.mcp(bot.credential, initializeRequest())).headers["mcp-session-id"]);
  }
  const post = (service: Service, session: string, message: unknown) =>
    service.mcp(bot.credential, message, { "mcp-session-id": session });
  const headersOf = (session: string) => ({ authorization: `Bearer ${bot.credential}`, "mcp-session-id": session });
  const end = (service: Service, session: string) =>
    service.http("/mcp", { method: "DELETE", headers: headersOf(session) });
  const statusAt = async (service: Service, session: string) => (await post(service, session, rpc("ping"))).status;

  it("that is deleted at one gets 404 at the other too, and its stream there ends", async () => {
    const [one, two] = services;
    const session = await begin(one);
    const stream = await readEvents(`${two.url}/mcp`, { method: "GET", headers: headersOf(session) });
    assert.equal(stream.status, 200);
    assert.equal((await end(one, session)).status, 200);
    assert.equal(await statusAt(one, session), 404);
    await stream.ended;
    assert.equal(await statusAt(two, session), 404);
    assert.equal((await end(two, session)).status, 404);
  });

  it("that was deleted gets 404 at a process that starts afterwards", async () => {
    const session = await begin(services[0]);
    await end(services[0], session);
    const late = await startService(database);
    try {
      assert.equal(await statusAt(late, session), 404);
      assert.equal(await statusAt(late, await begin(services[0])), 200);
    } finally {
      await late.close();
    }
  });

  const count = async (service: Service, session: string) => {
    const { body, text } = await post(service, session, rpc("tools/call", { name: "echo__count", arguments: {} }));
    const [, said] = /"text":"(\d+)"/.exec(text) ?? assert.fail(text);
    assert.equal(body?.error, undefined);
    return Number(said);
  };

  it("has one upstream session: the other process continues with the one that was opened first", async () => {
    const before = counting;
    const session = await begin(services[0]);
    for (let n = 1; n <= 6; n++) assert.equal(await count(services[n % 2 === 0 ? 0 : 1], session), n);
    assert.equal(counting - before, 1);
    assert.equal(await count(services[1], await begin(services[0])), 1);
  });

  it("has one upstream session even if both open it concurrently", async () => {
    const session = await begin(services[0]);
    await Promise.all(services.map((service) => count(service, session)));
    const here = await count(services[0], session);
    assert.equal(await count(services[1], session), here + 1);
  });

  it("continues when the process that opened its upstream session is gone", async () => {
    const before = counting;
    const third = await startService(database);
    const session = await begin(third);
    assert.equal(await count(third, session), 1);
    await third.close();
    assert.equal(await count(services[0], session), 2);
    assert.equal(counting - before, 1);
  });

  it("gets one new session for both at an upstream that has lost it", async () => {
    const session = await begin(services[0]);
    for (const [at, service] of services.entries()) assert.equal(await count(service, session), at + 1);
    await upstream.forgetSessions();
    const before = counting;
    for (const [at, service] of services.entries()) assert.equal(await count(service, session), at + 1);
    assert.equal(counting - before, 1);
  });

  it("ends its upstream session when it is deleted at a process without one", async () => {
    const session = await begin(services[0]);
    await count(services[0], session);
    const there = counted;
    assert.equal(there.ended, false);
    assert.equal((await end(services[1], session)).status, 200);
    await eventually(async () => there.ended);
  });

  it("leaves no row of its upstream sessions when it is deleted", async () => {
    const session = await begin(services[0]);
    await count(services[0], session);
    const rows = async () =>
      (await database.databases.main.selectFrom("upstream_sessions").selectAll().execute()).length;
    const before = await rows();
    await end(services[1], session);
    assert.equal(await rows(), before - 1);
  });

  it("has the log level that was set at either process", async () => {
    const [one, two] = services;
    const session = await begin(one);
    const logged = async (service: Service) => {
      const { text } = await post(service, session, rpc("tools/call", { name: "echo__log", arguments: {} }));
      return [...text.matchAll(/"level":"(\w+)"/g)].map(([, level]) => level);
    };
    for (const service of services) assert.deepEqual(await logged(service), ["debug", "warning"]);
    await post(two, session, rpc("logging/setLevel", { level: "warning" }));
    for (const service of [two, one])
      await eventually(async () => JSON.stringify(await logged(service)) === '["warning"]');
  });
});

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, MCP_2025_06_18, MCP_2025_11_25, readEvents } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { type LivelyUpstream, startLivelyUpstream } from "#test/upstreams/lively";

const RESULT = { content: [{ type: "text", text: "done" }] };

/** Behavior does not depend on the database, so one is enough. */
describe("a streamed response", () => {
  let database: TestDatabase;
  let service: Service;
  let upstream: LivelyUpstream;
  let bot: MachineUser;
  let other: MachineUser;
  let slug: string;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    [bot, other] = [await createMachineUser(service, "bot"), await createMachineUser(service, "other")];
    await createGroup(service, "bots", { emails: [bot.email, other.email], settings: { auto_assign_mcps: true } });
  });
  after(async () => {
    await service?.close();
    await database?.close();
  });
  beforeEach(async () => {
    upstream = await startLivelyUpstream("legacy");
    slug = await createSyncedServer(service, "Lively", upstream.url);
  });
  afterEach(() => upstream.close());

  async function begin(user: MachineUser, protocolVersion = MCP_2025_11_25): Promise<string> {
    const opened = await service.mcp(user.credential, initializeRequest({ protocolVersion }));
    return String(opened.headers["mcp-session-id"]);
  }
  const call = (session: string, tool = "steps") =>
    readEvents(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bot.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": session,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 7,
        method: "tools/call",
        params: { name: `${slug}__${tool}`, arguments: {}, _meta: { progressToken: "mine" } },
      }),
    });
  const resume = (session: string, lastEventId: string, user = bot) =>
    readEvents(`${service.url}/mcp`, {
      method: "GET",
      headers: {
        authorization: `Bearer ${user.credential}`,
        accept: "text/event-stream",
        "mcp-session-id": session,
        "last-event-id": lastEventId,
      },
    });
  const idsOf = ({ text }: EventReader) => [...text.matchAll(/^id: (.+)$/gm)].map(([, id = ""]) => id);
  const steps = ({ messages }: EventReader) => messages.map(({ params, result }) => params?.progress ?? result);
  const outcomes = async () =>
    (await service.api("GET", `/api/logs?server=${slug}&method=tools/call`)).body.data.map(
      ({ outcome }: { outcome: string }) => outcome,
    );
  const until = async (holds: () => boolean | Promise<boolean>) => {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it("begins with an event to resume from and a retry delay, and every event has an id", async () => {
    const stream = await call(await begin(bot));
    await stream.until(/"progress":1/);
    upstream.release();
    await stream.ended;
    assert.match(stream.text, /^retry: \d+\nid: \w+_0\ndata: \n\nid: \w+_1\nevent: message\n/);
    assert.equal(new Set(idsOf(stream)).size, 4);
    assert.deepEqual(steps(stream), [1, 2, RESULT]);
    assert.equal(stream.messages.at(-1).id, 7);
  });

  it("continues after its connection broke, and a resuming caller gets the missed events and the rest", async () => {
    const session = await begin(bot);
    const stream = await call(session);
    await stream.until(/"progress":1[\s\S]*\n\n/);
    const [primed = "", first = ""] = idsOf(stream);
    stream.close();
    await stream.ended;
    const second = await resume(session, first);
    await second.until(/\n\n/);
    upstream.release();
    await second.ended;
    assert.deepEqual(steps(second), [2, RESULT]);
    // Also after its end, and repeatedly.
    const again = await resume(session, primed);
    await again.ended;
    assert.deepEqual(steps(again), [1, 2, RESULT]);
    assert.deepEqual([upstream.tally, await outcomes()], [{ begun: 1, aborted: 0 }, ["ok"]]);
  });

  it("is buffered while no one reads it", async () => {
    const session = await begin(bot);
    const stream = await call(session);
    await stream.until(/"progress":1[\s\S]*\n\n/);
    stream.close();
    await stream.ended;
    upstream.release();
    await until(async () => (await outcomes())[0] === "ok");
    const second = await resume(session, idsOf(stream).at(-1) ?? "");
    await second.ended;
    assert.deepEqual(steps(second), [2, RESULT]);
  });

  it("goes to the newest of two readers", async () => {
    const session = await begin(bot);
    const stream = await call(session);
    await stream.until(/"progress":1[\s\S]*\n\n/);
    const second = await resume(session, idsOf(stream).at(-1) ?? "");
    await stream.ended;
    upstream.release();
    await second.ended;
    assert.deepEqual(steps(second), [2, RESULT]);
  });

  it("is not available to other users, nor in another session of the same user", async () => {
    const session = await begin(bot);
    const stream = await call(session);
    await stream.until(/"progress":1[\s\S]*\n\n/);
    const id = idsOf(stream).at(-1) ?? "";
    for (const [user, own] of [[other, await begin(other)] as const, [bot, await begin(bot)] as const]) {
      const foreign = await resume(own, id, user);
      await foreign.until(/list_changed/);
      assert.equal(/progress|done/.test(foreign.text), false);
      foreign.close();
    }
    upstream.release();
    await stream.ended;
    assert.deepEqual(steps(stream), [1, 2, RESULT]);
  });

  it("ends with its session: the call is canceled at the upstream when no one reads it", async () => {
    const session = await begin(bot);
    const stream = await call(session);
    await stream.until(/"progress":1[\s\S]*\n\n/);
    stream.close();
    await stream.ended;
    const headers = { authorization: `Bearer ${bot.credential}`, "mcp-session-id": session };
    await service.http("/mcp", { method: "DELETE", headers });
    await until(async () => (await outcomes())[0] === "cancelled");
    await until(() => upstream.tally.aborted === 1);
  });

  it("of a session before 2025-11-25 has no ids, and ends with its connection", async () => {
    const stream = await call(await begin(bot, MCP_2025_06_18));
    await stream.until(/"progress":1[\s\S]*\n\n/);
    assert.equal(/^(id|retry):/m.test(stream.text), false);
    stream.close();
    await until(async () => (await outcomes())[0] === "cancelled");
    await until(() => upstream.tally.aborted === 1);
  });

  it("disconnects the caller while its upstream defers the response, until the caller resumes", async () => {
    const session = await begin(bot);
    const stream = await call(session, "rest");
    await stream.ended;
    assert.match(stream.text, /^retry: \d+\nid: \w+_0\ndata: \n\nretry: 10\nid: \w+_0\ndata: \n\n$/);
    const second = await resume(session, idsOf(stream).at(-1) ?? "");
    upstream.release();
    await second.ended;
    assert.deepEqual(steps(second), [RESULT]);
    assert.equal(upstream.tally.begun, 1);
    const older = await call(await begin(bot, MCP_2025_06_18), "rest");
    await older.until(/done/);
    assert.equal(older.headers["content-type"], "application/json");
  });

  it("is resumed automatically by the official client", async () => {
    const client = new Client({ name: "real", version: "1.0.0" });
    const headers = { authorization: `Bearer ${bot.credential}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
    );
    const answer = client.callTool({ name: `${slug}__rest`, arguments: {} });
    await until(() => upstream.tally.begun === 1);
    upstream.release();
    assert.deepEqual((await answer).content, RESULT.content);
    await client.close();
  });
});

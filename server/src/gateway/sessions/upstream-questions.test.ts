import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, MCP_2025_11_25, readEvents, rpc } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { addAskingTools } from "#test/upstreams/asking-tools";
import { until } from "#test/upstreams/caller";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { type EventStreamUpstream, startEventStreamUpstream } from "#test/upstreams/event-stream";

const ALL = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true }, experimental: { x: {} } };
const ANSWER = { action: "accept", content: { name: "Ada" } };

onSqlite("questions of an upstream", (open) => {
  let service: Service;
  let upstream: EchoUpstream;
  let older: EventStreamUpstream;
  let bot: MachineUser;
  let other: MachineUser;

  before(async () => {
    service = await startService(await open());
    upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addAskingTools });
    await createSyncedServer(service, "Asker", upstream.url);
    bot = await createMachineUser(service, "bot");
    other = await createMachineUser(service, "other");
    older = await startEventStreamUpstream({ extend: addAskingTools });
    await createSyncedServer(service, "Older", older.url, {
      mcp_proxy: JSON.stringify({ type: "sse", url: older.url }),
    });
    await createGroup(service, "bots", { slugs: ["asker", "older"], emails: [bot.email, other.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await older?.close();
  });

  const call = (name: string, args: object = {}, id: unknown = 1) =>
    rpc("tools/call", { name: `asker__${name}`, arguments: args }, id);

  async function begin(capabilities: object, user = bot): Promise<string> {
    const answer = await service.mcp(user.credential, initializeRequest({ capabilities }));
    return String(answer.headers["mcp-session-id"]);
  }
  const post = (message: unknown, session: string, user = bot) =>
    service.mcp(user.credential, message, { "mcp-session-id": session });
  const stream = (message: unknown, session: string): Promise<EventReader> =>
    readEvents(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bot.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": session,
      },
      body: JSON.stringify(message),
    });
  /** The parsed result of a tool. */
  const saidIn = (message: { result?: { content: { text: string }[] } }) =>
    JSON.parse(message.result?.content[0]?.text ?? "null");
  const answered = async (events: EventReader) => {
    await events.ended;
    return events.messages.at(-1);
  };

  it("reach the caller on the response of its call, and the answer returns to the upstream", async () => {
    const session = await begin(ALL);
    const events = await stream(call("ask", { message: "Your name?" }, "c-1"), session);
    await events.until(/elicitation\/create/);
    const [question] = events.messages;
    assert.equal(question.params.message, "Your name?");
    assert.equal((await post({ jsonrpc: "2.0", id: question.id, result: ANSWER }, session)).status, 202);
    const result = await answered(events);
    assert.equal(result.id, "c-1");
    assert.deepEqual(saidIn(result), ANSWER);
  });

  it("of every kind are passed on, and errors are returned as errors", async () => {
    const session = await begin(ALL);
    const sample = { role: "assistant", content: { type: "text", text: "Well." }, model: "m" };
    const roots = { roots: [{ uri: "file:///a", name: "a" }] };
    for (const [tool, method, result] of [
      ["ask_model", "sampling/createMessage", sample],
      ["ask_roots", "roots/list", roots],
    ] as const) {
      const events = await stream(call(tool), session);
      await events.until(/"method"/);
      assert.equal(events.messages[0].method, method);
      await post({ jsonrpc: "2.0", id: events.messages[0].id, result }, session);
      assert.deepEqual(saidIn(await answered(events)), result);
    }
    const refused = await stream(call("ask", { message: "?" }), session);
    await refused.until(/elicitation\/create/);
    const error = { code: -1, message: "The user is not available" };
    await post({ jsonrpc: "2.0", id: refused.messages[0].id, error }, session);
    assert.match((await answered(refused)).result.content[0].text, /The user is not available/);
  });

  it("that belong to no call reach the caller on the open call", async () => {
    const session = await begin(ALL);
    const events = await stream(call("ask_aside", { message: "Aside?" }), session);
    await events.until(/elicitation\/create/);
    await post({ jsonrpc: "2.0", id: events.messages[0].id, result: ANSWER }, session);
    assert.deepEqual(saidIn(await answered(events)), ANSWER);
  });

  it("arrive over HTTP+SSE as well, with the log level of the session", async () => {
    const session = await begin(ALL);
    await post(rpc("logging/setLevel", { level: "warning" }), session);
    for (const tool of ["ask", "ask_aside"]) {
      const events = await stream(rpc("tools/call", { name: `older__${tool}`, arguments: { message: "?" } }), session);
      await events.until(/elicitation\/create/);
      await post({ jsonrpc: "2.0", id: events.messages[0].id, result: ANSWER }, session);
      assert.deepEqual(saidIn(await answered(events)), ANSWER);
    }
    const events = await stream(rpc("tools/call", { name: "older__log", arguments: {} }), session);
    await answered(events);
    assert.deepEqual(
      events.messages.slice(0, -1).map(({ params }) => params.level),
      ["warning"],
    );
  });

  it("use the log level of the session at current and future upstreams", async () => {
    const session = await begin({});
    const logged = async () => {
      const events = await stream(call("log"), session);
      await answered(events);
      return events.messages
        .filter(({ method }) => method === "notifications/message")
        .map(({ params }) => params.level);
    };
    const setLevel = async (level: unknown) => (await post(rpc("logging/setLevel", { level }), session)).body;
    assert.deepEqual(await setLevel("warning"), { jsonrpc: "2.0", id: 1, result: {} });
    assert.deepEqual(await logged(), ["warning"]);
    await setLevel("debug");
    assert.deepEqual(await logged(), ["debug", "warning"]);
    for (const wrong of ["loud", 7, undefined]) assert.equal((await setLevel(wrong)).error.code, -32602);
    await setLevel("emergency");
    await upstream.forgetSessions();
    assert.deepEqual(await logged(), []);
  });

  it("are declared to the upstream exactly as the caller declared them, as far as they are known", async () => {
    for (const [given, declared] of [
      [ALL, { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } }],
      [
        { elicitation: {}, roots: { listChanged: false } },
        { elicitation: { form: {} }, roots: {} },
      ],
      [{}, {}],
      [{ sampling: "yes", elicitation: [] }, {}],
    ]) {
      const { body } = await post(call("can_ask"), await begin(given ?? {}));
      assert.deepEqual(saidIn(body), declared);
    }
    const stateless = await service.mcp(bot.credential, call("can_ask"));
    assert.deepEqual(saidIn(stateless.body), {});
  });

  it("that the caller cannot receive are rejected immediately, and the call continues", async () => {
    const session = await begin(ALL);
    const plain = await service.mcp(bot.credential, call("ask", { message: "?" }), {
      "mcp-session-id": session,
      accept: "application/json",
    });
    assert.equal(plain.body.result.isError, true);
    const without = await post(call("ask", { message: "?" }), await begin({ roots: {} }));
    assert.equal(without.body.result.isError, true);
  });

  describe("answers", () => {
    it("are not answered by others, by made-up ids or twice, although such responses are accepted", async () => {
      const session = await begin(ALL);
      const events = await stream(call("ask", { message: "?" }), session);
      await events.until(/elicitation\/create/);
      const { id } = events.messages[0];
      const wrong = { action: "accept", content: { name: "Mallory" } };
      const elsewhere = await begin(ALL);
      assert.equal((await post({ jsonrpc: "2.0", id, result: wrong }, elsewhere)).status, 202);
      const foreign = await begin(ALL, other);
      assert.equal((await post({ jsonrpc: "2.0", id, result: wrong }, foreign, other)).status, 202);
      for (const madeUp of ["x", 7, `${id.slice(0, -6)}zzzzzz`, ""])
        assert.equal((await post({ jsonrpc: "2.0", id: madeUp, result: wrong }, session)).status, 202);
      assert.equal((await post({ jsonrpc: "2.0", id, result: ANSWER }, session)).status, 202);
      assert.equal((await post({ jsonrpc: "2.0", id, result: wrong }, session)).status, 202);
      assert.deepEqual(saidIn(await answered(events)), ANSWER);
    });

    it("are passed on by whichever process receives the answer", async () => {
      const database = await open();
      const [one, two] = [await startService(database), await startService(database)];
      try {
        await createSyncedServer(one, "Asker", upstream.url);
        const user = await createMachineUser(one, "roamer");
        await createGroup(one, "bots", { slugs: ["asker"], emails: [user.email] });
        const init = { protocolVersion: MCP_2025_11_25, capabilities: ALL, clientInfo: { name: "t", version: "1" } };
        const session = String((await one.mcp(user.credential, rpc("initialize", init))).headers["mcp-session-id"]);
        const events = await readEvents(`${one.url}/mcp`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${user.credential}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "mcp-session-id": session,
          },
          body: JSON.stringify(call("ask", { message: "?" })),
        });
        await events.until(/elicitation\/create/);
        // The other process reads new groups a little later.
        const lists = () => two.mcp(user.credential, rpc("tools/list"));
        while ((await lists()).body.result.tools.length === 0) await setTimeout(20);
        const reply = { jsonrpc: "2.0", id: events.messages[0].id, result: ANSWER };
        assert.equal((await two.mcp(user.credential, reply, { "mcp-session-id": session })).status, 202);
        assert.deepEqual(saidIn(await answered(events)), ANSWER);
      } finally {
        await one.close();
        await two.close();
      }
    });
  });

  it("use separate upstream sessions per MCP session; callers without one share one", async () => {
    await upstream.forgetSessions();
    const sessions = [await begin(ALL), await begin(ALL)];
    for (const session of [...sessions, ...sessions]) await post(call("echo"), session);
    assert.equal(upstream.sessions(), 2);
    await service.mcp(bot.credential, call("echo"));
    await service.mcp(bot.credential, call("echo"));
    assert.equal(upstream.sessions(), 3);
  });

  it("end with the upstream sessions of a deleted MCP session", async () => {
    await upstream.forgetSessions();
    const session = await begin(ALL);
    await post(call("echo"), session);
    assert.equal(upstream.sessions(), 1);
    const headers = { authorization: `Bearer ${bot.credential}`, "mcp-session-id": session };
    assert.equal((await service.http("/mcp", { method: "DELETE", headers })).status, 200);
    await until(() => upstream.sessions() === 0);
  });

  it("use a lost upstream session that is reopened with the same capabilities", async () => {
    const session = await begin({ sampling: {} });
    await post(call("echo"), session);
    await upstream.forgetSessions();
    const { body } = await post(call("can_ask"), session);
    assert.deepEqual(saidIn(body), { sampling: {} });
  });

  it("end with a call that the caller cancels by its id, only in its own session", async () => {
    const session = await begin(ALL);
    const events = await stream(call("ask", { message: "?" }, "c-9"), session);
    await events.until(/elicitation\/create/);
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c-9" } };
    await post(cancelled, await begin(ALL));
    assert.equal((await post(rpc("ping"), session)).status, 200);
    await post(cancelled, session);
    const last = await answered(events);
    assert.deepEqual([last.id, last.error.message], ["c-9", "Request cancelled"]);
  });
});

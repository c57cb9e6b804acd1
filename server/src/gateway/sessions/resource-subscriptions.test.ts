import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, MCP_2026_07_28, modernHeaders, readEvents } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { startEchoUpstream } from "#test/upstreams/echo";
import { type LivelyUpstream, startLivelyUpstream } from "#test/upstreams/lively";
import { giveThings } from "#test/upstreams/things";

/** Tests with several processes, on both databases, are in a separate file. */
describe("a subscription to a resource", () => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  let other: MachineUser;
  const upstreams = new Map<string, LivelyUpstream>();
  const streams: EventReader[] = [];

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    [bot, other] = [await createMachineUser(service, "bot"), await createMachineUser(service, "other")];
    for (const eras of ["both", "legacy", "modern"] as const) {
      const upstream = await startLivelyUpstream(eras);
      upstreams.set(eras, upstream);
      await createSyncedServer(service, eras, upstream.url);
    }
    await createGroup(service, "bots", { slugs: [...upstreams.keys()], emails: [bot.email, other.email] });
  });
  after(async () => {
    await service?.close();
    for (const upstream of upstreams.values()) await upstream.close();
    await database?.close();
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  async function begin(user: MachineUser): Promise<string> {
    const answer = await service.mcp(user.credential, initializeRequest());
    assert.equal(answer.body.result.capabilities.resources.subscribe, true);
    return String(answer.headers["mcp-session-id"]);
  }
  async function listen(user: MachineUser, session: string): Promise<EventReader> {
    const headers = { authorization: `Bearer ${user.credential}`, "mcp-session-id": session };
    const stream = await readEvents(`${service.url}/mcp`, { method: "GET", headers });
    streams.push(stream);
    return stream;
  }
  const ask = async (user: MachineUser, session: string | undefined, method: string, uri: unknown) => {
    const message = { jsonrpc: "2.0", id: 5, method: `resources/${method}`, params: { uri } };
    return (await service.mcp(user.credential, message, session === undefined ? {} : { "mcp-session-id": session }))
      .body;
  };
  const updates = ({ messages }: EventReader) =>
    messages.filter(({ method }) => method === "notifications/resources/updated").map(({ params }) => params.uri);
  const upstream = (eras: string) => upstreams.get(eras) ?? assert.fail();

  for (const eras of ["legacy", "modern"] as const) {
    it(`notifies only the subscribed session of a ${eras} upstream's update, with the caller's URI`, async () => {
      const [mine, others] = [await begin(bot), await begin(other)];
      const [stream, foreign] = [await listen(bot, mine), await listen(other, others)];
      const uri = `mcp+${eras}:lively:thing`;
      assert.deepEqual((await ask(bot, mine, "subscribe", uri)).result, {});
      upstream(eras).update("lively:thing");
      await stream.until(/resources\/updated/);
      assert.deepEqual(updates(stream), [uri]);
      assert.deepEqual(updates(foreign), []);
    });
  }

  it("ends when the caller unsubscribes, together with the stream to the upstream", async () => {
    const session = await begin(bot);
    const stream = await listen(bot, session);
    for (const name of ["lively:thing", "mcp+legacy:lively:thing"]) await ask(bot, session, "subscribe", name);
    assert.deepEqual((await ask(bot, session, "unsubscribe", "lively:thing")).result, {});
    upstream("both").update("lively:thing");
    upstream("legacy").update("lively:thing");
    await stream.until(/resources\/updated/);
    assert.deepEqual(updates(stream), ["mcp+legacy:lively:thing"]);
    assert.deepEqual((await ask(bot, session, "unsubscribe", "lively:thing")).result, {});
  });

  it("notifies the caller after the connection to the upstream broke", async () => {
    const session = await begin(bot);
    const stream = await listen(bot, session);
    await ask(bot, session, "subscribe", "mcp+legacy:lively:thing");
    upstream("legacy").drop();
    await stream.until(/resources\/updated/);
    upstream("legacy").update("lively:thing");
    await stream.until(/(resources\/updated[\s\S]*){2}/);
  });

  it("does not notify of a server that the caller can no longer access", async () => {
    const user = await createMachineUser(service, "leaver");
    await createGroup(service, "leavers", { slugs: ["legacy", "both"], emails: [user.email] });
    const session = await begin(user);
    const stream = await listen(user, session);
    for (const slug of ["legacy", "both"])
      assert.deepEqual((await ask(user, session, "subscribe", `mcp+${slug}:lively:thing`)).result, {});
    await service.api("DELETE", "/api/groups/leavers/integrations?slug=legacy");
    upstream("legacy").update("lively:thing");
    upstream("both").update("lively:thing");
    await stream.until(/mcp\+both:lively:thing/);
    assert.deepEqual(updates(stream), ["mcp+both:lively:thing"]);
  });

  it("belongs to the session of the caller's calls, where the server sends session-specific updates", async () => {
    const things = await startEchoUpstream({
      eras: "legacy",
      sessionful: true,
      extend: (server) => giveThings(server),
    });
    try {
      await createSyncedServer(service, "Things", things.url);
      await createGroup(service, "of things", { slugs: ["things"], emails: [bot.email] });
      const session = await begin(bot);
      const stream = await listen(bot, session);
      const call = async (name: string, args: object = {}) => {
        const message = {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: `things__${name}`, arguments: args },
        };
        return (await service.mcp(bot.credential, message, { "mcp-session-id": session })).body.result;
      };
      for (const uri of ["things:one", "things:two"])
        assert.deepEqual((await ask(bot, session, "subscribe", uri)).result, {});
      assert.deepEqual((await call("subscribed")).structuredContent, { uris: ["things:one", "things:two"] });
      await ask(bot, session, "unsubscribe", "things:one");
      while ((await call("subscribed")).structuredContent.uris.length > 1);
      for (const uri of ["things:one", "things:two"]) await call("touch", { uri });
      await stream.until(/things:two/);
      assert.deepEqual(updates(stream), ["things:two"]);
      // As after a restart of the server: an update may have been missed.
      await things.forgetSessions();
      await stream.until(/things:two[\s\S]*things:two/);
    } finally {
      await things.close();
    }
  });

  it("is limited to 64 per user, over all sessions", async () => {
    const user = await createMachineUser(service, "hoarder");
    await createGroup(service, "hoarders", { slugs: ["modern"], emails: [user.email] });
    const sessions: string[] = [];
    for (let n = 0; n < 66; n++) sessions.push(await begin(user));
    const subscribe = (session: string | undefined) => ask(user, session, "subscribe", "lively:thing");
    const answers = await Promise.all(sessions.map(subscribe));
    const refused = answers.flatMap(({ error }) => (error ? [error.message] : []));
    assert.deepEqual(refused, Array(2).fill("Too many subscriptions; end one first"));
    const held = sessions[answers.findIndex(({ result }) => result !== undefined)];
    const late = sessions[answers.findIndex(({ error }) => error !== undefined)];
    assert.deepEqual((await subscribe(held)).result, {});
    await ask(user, held, "unsubscribe", "lively:thing");
    assert.deepEqual((await subscribe(late)).result, {});
  });

  it("is rejected with a clear error if it is not possible", async () => {
    const session = await begin(bot);
    assert.equal((await ask(bot, session, "subscribe", "lively:nothing")).error.code, -32002);
    assert.equal((await ask(bot, session, "subscribe", 7)).error.code, -32602);
    assert.equal((await ask(bot, session, "subscribe", `lively:${"x".repeat(3_000)}`)).error.code, -32602);
    assert.match((await ask(bot, undefined, "subscribe", "lively:thing")).error.message, /require a session/);
    const { error } = await ask(bot, session, "subscribe", "mcp+legacy:lively:secret");
    assert.deepEqual(
      [error.code, error.message],
      [-32601, 'Server "legacy" does not support subscriptions to this resource'],
    );
  });
  describe("in the stream of a modern client", () => {
    const META = {
      "io.modelcontextprotocol/protocolVersion": MCP_2026_07_28,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    };
    const TAG = "io.modelcontextprotocol/subscriptionId";
    async function listenTo(user: MachineUser, notifications: object, id: unknown = 7): Promise<EventReader> {
      const method = "subscriptions/listen";
      const headers = {
        ...{ authorization: `Bearer ${user.credential}`, "content-type": "application/json" },
        ...{ accept: "application/json, text/event-stream" },
        ...modernHeaders(method),
      };
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { notifications, _meta: META } });
      const stream = await readEvents(`${service.url}/mcp`, { method: "POST", headers, body });
      streams.push(stream);
      await stream.until(/acknowledged/);
      return stream;
    }

    it("is granted for existing resources that support it, tagged, and notifies only that client", async () => {
      const uris = ["mcp+legacy:lively:thing", "mcp+modern:lively:thing"];
      const wishes = ["mcp+legacy:lively:secret", "lively:nothing", 7, ...uris];
      const stream = await listenTo(bot, { toolsListChanged: true, resourceSubscriptions: wishes }, "mine");
      const foreign = await listenTo(other, { resourceSubscriptions: ["lively:nothing"] });
      const [{ method, params }] = stream.messages;
      assert.equal(method, "notifications/subscriptions/acknowledged");
      assert.deepEqual(params._meta, { [TAG]: "mine" });
      const { resourceSubscriptions, ...lists } = params.notifications;
      assert.deepEqual([new Set(resourceSubscriptions), lists], [new Set(uris), { toolsListChanged: true }]);
      assert.deepEqual(foreign.messages[0].params.notifications, {});
      for (const eras of ["legacy", "modern"]) upstream(eras).update("lively:thing");
      for (const eras of ["legacy", "modern"]) await stream.until(new RegExp(`"uri":"mcp\\+${eras}:`));
      const notices = stream.messages.filter(({ method: said }) => said === "notifications/resources/updated");
      assert.deepEqual(new Set(notices.map(({ params: said }) => said.uri)), new Set(uris));
      for (const { params: said } of notices) assert.deepEqual(said._meta, { [TAG]: "mine" });
      assert.equal(updates(foreign).length, 0);
    });

    it("reports a resource as updated to a client that subscribes to it again, because it may have changed", async () => {
      const user = await createMachineUser(service, "returning");
      await service.api("POST", "/api/groups/bots/users", { emails: [user.email] });
      const [again, fresh] = ["mcp+legacy:lively:thing", "mcp+modern:lively:thing"];
      const first = await listenTo(user, { resourceSubscriptions: [again] });
      assert.deepEqual(updates(first), []);
      first.close();
      await first.ended;
      const second = await listenTo(user, { resourceSubscriptions: [again, fresh] });
      await second.until(/resources\/updated/);
      assert.deepEqual(updates(second), [again]);
    });

    it("frees its slot when the client disconnects", async () => {
      const user = await createMachineUser(service, "modern-hoarder");
      await createGroup(service, "modern-hoarders", { slugs: ["modern"], emails: [user.email] });
      const wishes = { resourceSubscriptions: ["lively:thing"] };
      const held = await Promise.all(Array.from({ length: 64 }, () => listenTo(user, wishes)));
      for (const { messages } of held) assert.deepEqual(messages[0].params.notifications, wishes);
      assert.deepEqual((await listenTo(user, wishes)).messages[0].params.notifications, {});
      held[0]?.close();
      let granted = {};
      while (!("resourceSubscriptions" in granted)) {
        const again = await listenTo(user, wishes);
        granted = again.messages[0].params.notifications;
        again.close();
      }
    });
  });
});

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, MODERN_META, modernHeaders, readEvents } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { type EventStreamUpstream, startEventStreamUpstream } from "#test/upstreams/event-stream";
import { giveThings } from "#test/upstreams/things";

const STDIO_PROGRAM = new URL("../../../test/upstreams/stdio-echo.ts", import.meta.url).pathname;

describe("a subscription to a resource of an upstream over a channel", () => {
  let database: TestDatabase;
  let service: Service;
  let old: EventStreamUpstream;
  let bot: MachineUser;
  const streams: EventReader[] = [];
  const sessions: string[] = [];

  before(async () => {
    database = await openTestSqlite();
    const localServersFile = join(database.dataDir, "servers.json");
    const local = { command: process.execPath, args: [STDIO_PROGRAM] };
    const modern = { command: process.execPath, args: [STDIO_PROGRAM, "modern"] };
    writeFileSync(localServersFile, JSON.stringify({ mcpServers: { local, "local-modern": modern } }));
    service = await startService(database, { config: { localServersFile } });
    old = await startEventStreamUpstream({ extend: (server) => giveThings(server) });
    for (const type of ["sse", "both"]) {
      await createSyncedServer(service, type, old.url, { mcp_proxy: JSON.stringify({ type, url: old.url }) });
    }
    for (const slug of ["local", "local-modern"])
      assert.equal((await service.api("POST", `/api/mcp-servers/${slug}/sync`)).body.data.sync_error, null);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["local", "local-modern", "sse", "both"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await old?.close();
    await database?.close();
  });
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    for (const session of sessions.splice(0)) {
      const headers = { authorization: `Bearer ${bot.credential}`, "mcp-session-id": session };
      assert.equal((await service.http("/mcp", { method: "DELETE", headers })).status, 200);
    }
  });

  const post = (slug: string, message: object, headers: Record<string, string>) =>
    service.http(`/mcp/${slug}`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${bot.credential}`, "content-type": "application/json" },
        ...{ accept: "application/json, text/event-stream", ...headers },
      },
      body: JSON.stringify(message),
    });
  /** A legacy client at the URL of one server. */
  async function legacyClient(slug: string) {
    const hello = await service.mcp(bot.credential, initializeRequest());
    const headers = { "mcp-session-id": String(hello.headers["mcp-session-id"]) };
    sessions.push(headers["mcp-session-id"]);
    const authorized = { authorization: `Bearer ${bot.credential}`, ...headers };
    const stream = await readEvents(`${service.url}/mcp/${slug}`, { method: "GET", headers: authorized });
    streams.push(stream);
    const ask = async (method: string, asked: object) => {
      const message = { jsonrpc: "2.0", id: 5, method, params: asked };
      return (await post(slug, message, headers)).body;
    };
    return {
      stream,
      ask,
      call: async (name: string, args: object = {}) =>
        (await ask("tools/call", { name, arguments: args })).result.structuredContent,
    };
  }
  const updates = ({ messages }: EventReader) =>
    messages.filter(({ method }) => method === "notifications/resources/updated").map(({ params }) => params.uri);

  for (const slug of ["local", "local-modern", "sse", "both"]) {
    it(`notifies the subscriber until it unsubscribes (${slug})`, async () => {
      const [one, other] = [await legacyClient(slug), await legacyClient(slug)];
      for (const uri of ["things:one", "things:two"])
        assert.deepEqual((await one.ask("resources/subscribe", { uri })).result, {});
      assert.deepEqual((await other.ask("resources/subscribe", { uri: "things:two" })).result, {});
      const touch = async () => {
        for (const client of slug.startsWith("local") ? [one] : [one, other])
          for (const uri of ["things:one", "things:two"]) await client.call("touch", { uri });
      };
      await touch();
      await one.stream.until(/things:one[\s\S]*things:two/);
      await other.stream.until(/things:two/);
      assert.deepEqual([updates(one.stream), updates(other.stream)], [["things:one", "things:two"], ["things:two"]]);
      assert.deepEqual((await one.ask("resources/unsubscribe", { uri: "things:two" })).result, {});
      await touch();
      await one.stream.until(/things:one[\s\S]*things:one/);
      await other.stream.until(/things:two[\s\S]*things:two/);
      assert.deepEqual(updates(one.stream), ["things:one", "things:two", "things:one"]);
      assert.deepEqual(updates(other.stream), ["things:two", "things:two"]);
    });

    it(`is granted to a modern client, and notifications have its tag (${slug})`, async () => {
      const method = "subscriptions/listen";
      const headers = {
        ...{ authorization: `Bearer ${bot.credential}`, "content-type": "application/json" },
        ...{ accept: "application/json, text/event-stream" },
        ...modernHeaders(method),
      };
      const params = { notifications: { resourceSubscriptions: ["things:one", "things:none"] }, _meta: MODERN_META };
      const body = JSON.stringify({ jsonrpc: "2.0", id: "s", method, params });
      const stream = await readEvents(`${service.url}/mcp/${slug}`, { method: "POST", headers, body });
      streams.push(stream);
      await stream.until(/acknowledged/);
      assert.deepEqual(stream.messages[0].params.notifications, { resourceSubscriptions: ["things:one"] });
      const call = { name: "touch", arguments: { uri: "things:one" }, _meta: MODERN_META };
      const touching = modernHeaders("tools/call", "touch");
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
      const touched = await post(slug, message, touching);
      assert.equal(touched.body.result?.resultType, "complete", touched.text);
      await stream.until(/resources\/updated/);
      const { uri, _meta } = stream.messages[1].params;
      assert.deepEqual([uri, _meta["io.modelcontextprotocol/subscriptionId"]], ["things:one", "s"]);
    });
  }

  it("is sent once to an upstream when several callers share the channel, and ends with the last of them", async () => {
    const [one, other] = [await legacyClient("local"), await legacyClient("local")];
    const subscribed = async () => (await one.call("subscribed")).uris;
    const isLeft = async (uris: string[]) => {
      while (JSON.stringify(await subscribed()) !== JSON.stringify(uris));
    };
    // Those of the previous sessions ended with them.
    await isLeft([]);
    const all = [one, other].flatMap((client) => ["things:one", "things:two"].map((uri) => ({ client, uri })));
    await Promise.all(all.map(({ client, uri }) => client.ask("resources/subscribe", { uri })));
    assert.deepEqual(await subscribed(), ["things:one", "things:two"]);
    await one.ask("resources/unsubscribe", { uri: "things:one" });
    assert.deepEqual(await subscribed(), ["things:one", "things:two"]);
    await other.ask("resources/unsubscribe", { uri: "things:one" });
    await isLeft(["things:two"]);
    for (const client of [one, other]) await client.ask("resources/unsubscribe", { uri: "things:two" });
    await isLeft([]);
  });

  it("belongs to the session of the caller's calls", async () => {
    const client = await legacyClient("sse");
    old.seen.length = 0;
    await client.ask("resources/subscribe", { uri: "things:one" });
    assert.deepEqual(await client.call("subscribed"), { uris: ["things:one"] });
    // Sessions of earlier tests may still end meanwhile.
    const own = old.seen.filter(({ method }) => method === "resources/subscribe" || method === "tools/call");
    assert.equal(own.length, 2);
    assert.equal(new Set(own.map(({ session }) => session)).size, 1);
  });

  it("notifies the caller after the channel broke", async () => {
    const client = await legacyClient("sse");
    await client.ask("resources/subscribe", { uri: "things:one" });
    old.drop();
    await client.stream.until(/things:one/);
    await client.call("touch", { uri: "things:one" });
    await client.stream.until(/things:one[\s\S]*things:one/);
  });
});

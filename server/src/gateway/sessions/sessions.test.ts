import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import {
  MCP_2025_03_26,
  MCP_2025_06_18,
  MCP_2025_11_25,
  MODERN_META,
  modernHeaders,
  readEvents,
  rpc,
} from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const TOOLS_CHANGED = /notifications\/tools\/list_changed/;

onSqlite("mcp sessions", (open) => {
  let service: Service;
  let upstream: RawUpstream;
  let bot: MachineUser;
  let other: MachineUser;

  before(async () => {
    service = await startService(await open());
    upstream = await startRawUpstream();
    await createSyncedServer(service, "Echo", upstream.url);
    await createSyncedServer(service, "Second", upstream.url);
    bot = await createMachineUser(service, "bot");
    other = await createMachineUser(service, "other");
    await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email, other.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
  });

  const ping = (user: MachineUser, session: string) =>
    service.mcp(user.credential, rpc("ping"), { "mcp-session-id": session });

  async function begin(user: MachineUser, protocolVersion = MCP_2025_11_25): Promise<string> {
    const answer = await service.mcp(
      user.credential,
      rpc("initialize", { protocolVersion, capabilities: { roots: {} } }),
    );
    for (const kind of ["tools", "prompts", "resources"])
      assert.equal(answer.body.result.capabilities[kind].listChanged, true);
    return String(answer.headers["mcp-session-id"]);
  }
  const about = (method: string, user: MachineUser, session?: string) =>
    service.http("/mcp", {
      method,
      headers: {
        authorization: `Bearer ${user.credential}`,
        ...(session === undefined ? {} : { "mcp-session-id": session }),
      },
    });
  const listen = (user: MachineUser, session: string, headers: Record<string, string> = {}, target = "/mcp") =>
    readEvents(`${service.url}${target}`, {
      method: "GET",
      headers: { authorization: `Bearer ${user.credential}`, "mcp-session-id": session, ...headers },
    });
  const setSecond = (method: "POST" | "DELETE", group: string) =>
    method === "POST"
      ? service.api("POST", `/api/groups/${group}/integrations`, { slugs: ["second"] })
      : service.api("DELETE", `/api/groups/${group}/integrations?slug=second`);

  describe("an id", () => {
    it("is visible ASCII, new each time, and reveals nothing", async () => {
      const [one, two] = [await begin(bot), await begin(bot)];
      assert.notEqual(one, two);
      assert.match(one, /^[\x21-\x7e]{40,1000}$/);
      assert.ok(!Buffer.from(one.split(".")[1] ?? "", "base64url").includes(bot.id));
    });

    it("is accepted for its own user; initialize needs none", async () => {
      const session = await begin(bot);
      assert.equal((await ping(bot, session)).status, 200);
      const again = await service.mcp(bot.credential, rpc("initialize"), { "mcp-session-id": "made-up" });
      assert.equal(again.status, 200);
    });

    it("that is foreign, forged or ended gets the same 404 on every method (GW-1)", async () => {
      const session = await begin(bot);
      const ended = await begin(other);
      assert.equal((await about("DELETE", other, ended)).status, 200);
      const flipped = `${session.slice(0, -2)}${session.endsWith("AA") ? "BB" : "AA"}`;
      const forged = ["", "1", "1.", "1.AAAA", "9.AAAA", "x".repeat(5_000), flipped, session.slice(0, -4)];
      for (const method of ["POST", "GET", "DELETE"]) {
        const texts = new Set<string>();
        for (const token of [session, ended, ...forged]) {
          const answer = method === "POST" ? await ping(other, token) : await about(method, other, token);
          assert.equal(answer.status, 404, `${method} ${token}`);
          texts.add(answer.text);
        }
        assert.equal(texts.size, 1, [...texts].join("\n"));
      }
      const note = { jsonrpc: "2.0", method: "notifications/initialized" };
      assert.equal((await service.mcp(other.credential, note, { "mcp-session-id": session })).status, 404);
      assert.equal((await service.mcp(other.credential, [note], { "mcp-session-id": session })).status, 404);
      assert.equal((await ping(bot, session)).status, 200);
    });

    it("provides the version if the header is missing: no batches in a session of 2025-06-18", async () => {
      const session = { "mcp-session-id": await begin(bot, MCP_2025_06_18) };
      assert.equal((await service.mcp(bot.credential, [rpc("ping")], session)).status, 400);
      const older = { "mcp-session-id": await begin(bot, MCP_2025_03_26) };
      assert.equal((await service.mcp(bot.credential, [rpc("ping")], older)).status, 200);
    });
  });

  describe("GET", () => {
    it("gets 405 without a session, like DELETE", async () => {
      for (const method of ["GET", "DELETE"]) {
        const answer = await about(method, bot);
        assert.deepEqual([answer.status, answer.headers.allow], [405, "POST"]);
      }
      const put = await about("PUT", bot, await begin(bot));
      assert.deepEqual([put.status, put.headers.allow], [405, "GET, POST, DELETE"]);
    });

    it("opens a stream that begins with an event to resume from, in versions that support it", async () => {
      const modern = await listen(bot, await begin(bot));
      await modern.until(/\n\n/);
      assert.deepEqual([modern.status, modern.headers["content-type"]], [200, "text/event-stream"]);
      assert.match(modern.text, /^retry: \d+\nid: \S+\ndata: \n\n$/);
      const early = await listen(bot, await begin(bot, MCP_2025_06_18));
      await early.until(/\n\n/);
      assert.match(early.text, /^retry: \d+\n\n$/);
      modern.close();
      early.close();
    });

    it("notifies when the caller's tools change, and only then", async () => {
      await createGroup(service, "listeners", { emails: [bot.email] });
      await createGroup(service, "strangers");
      const stream = await listen(bot, await begin(bot));
      const narrow = await listen(bot, await begin(bot), {}, "/mcp/echo");
      await setSecond("POST", "strangers");
      await setSecond("POST", "listeners");
      await stream.until(TOOLS_CHANGED);
      await setSecond("DELETE", "listeners");
      await stream.until(/list_changed[\s\S]*list_changed/);
      await service.api("PATCH", "/api/mcp-servers/tools?slug=echo", { disable: ["headers"] });
      await narrow.until(TOOLS_CHANGED);
      await stream.until(/(list_changed[\s\S]*){3}/);
      await service.api("PATCH", "/api/mcp-servers/tools?slug=echo", { enable: ["headers"] });
      await narrow.until(/(list_changed[\s\S]*){2}/);
      assert.deepEqual(narrow.messages, Array(2).fill({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }));
      assert.ok(stream.messages.length <= 4);
      stream.close();
      narrow.close();
    });

    it("notifies of prompts and resources separately from tools", async () => {
      const stream = await listen(bot, await begin(bot));
      const methods = () => stream.messages.map((message) => message.method);
      upstream.prompts = [{ name: "greet" }];
      await service.api("POST", "/api/mcp-servers/echo/sync");
      await stream.until(/prompts\/list_changed/);
      upstream.resources = { list: [{ uri: "a:b", name: "b" }], templates: [] };
      await service.api("POST", "/api/mcp-servers/echo/sync");
      await stream.until(/resources\/list_changed/);
      upstream.resources = { ...upstream.resources, templates: [{ uriTemplate: "a:{x}", name: "t" }] };
      await service.api("POST", "/api/mcp-servers/echo/sync");
      await stream.until(/(resources\/list_changed[\s\S]*){2}/);
      assert.deepEqual(methods(), [
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/list_changed",
      ]);
      stream.close();
    });

    it("notifies a reconnecting caller, because a change may have been missed", async () => {
      const stream = await listen(bot, await begin(bot), { "last-event-id": "x" });
      await stream.until(/tools[\s\S]*prompts[\s\S]*resources\/list_changed/);
      stream.close();
    });

    it("replaces the first stream of a session with a second one", async () => {
      const session = await begin(bot);
      const first = await listen(bot, session);
      const second = await listen(bot, session);
      await first.ended;
      await service.api("PATCH", "/api/mcp-servers/tools?slug=echo", { disable: ["headers"] });
      await second.until(TOOLS_CHANGED);
      await service.api("PATCH", "/api/mcp-servers/tools?slug=echo", { enable: ["headers"] });
      second.close();
    });

    it("ends with the session", async () => {
      const session = await begin(bot);
      const stream = await listen(bot, session);
      await about("DELETE", bot, session);
      await stream.ended;
    });

    it("ends with the credential: rotated, disabled, deleted (AUTH-7)", async () => {
      const deeds = {
        rotated: (email: string) => service.api("POST", `/api/users/rotate-secret?email=${email}`, {}),
        disabled: (email: string) => service.api("PATCH", `/api/users?email=${email}`, { disabled: true }),
        deleted: (email: string) => service.api("DELETE", `/api/users?email=${email}`),
      };
      for (const [name, act] of Object.entries(deeds)) {
        const user = await createMachineUser(service, name);
        const stream = await listen(user, await begin(user));
        const answer = await act(encodeURIComponent(user.email));
        assert.equal(answer.status, 200, answer.text);
        await stream.ended;
      }
    });
  });

  describe("subscriptions/listen", () => {
    const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
    const subscribe = (user: MachineUser, notifications: unknown, id: unknown = "s1") =>
      readEvents(`${service.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${user.credential}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...modernHeaders("subscriptions/listen"),
        },
        body: JSON.stringify(rpc("subscriptions/listen", { notifications, _meta: MODERN_META }, id)),
      });

    it("first reports what it grants, tags every message, and ends with a result when the credential ends", async () => {
      const user = await createMachineUser(service, "subscriber");
      await createGroup(service, "subscribers", { emails: [user.email] });
      const stream = await subscribe(user, { toolsListChanged: true, resourceSubscriptions: ["a:b"] }, 7);
      await stream.until(/acknowledged/);
      await setSecond("POST", "subscribers");
      await stream.until(TOOLS_CHANGED);
      await service.api("DELETE", `/api/users?email=${encodeURIComponent(user.email)}`);
      await stream.ended;
      const [acknowledged, changed, ending] = stream.messages;
      assert.deepEqual(acknowledged, {
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: { _meta: { [SUBSCRIPTION]: 7 }, notifications: { toolsListChanged: true } },
      });
      assert.deepEqual([changed.method, changed.params._meta[SUBSCRIPTION]], ["notifications/tools/list_changed", 7]);
      assert.deepEqual([ending.id, ending.result.resultType, ending.result._meta[SUBSCRIPTION]], [7, "complete", 7]);
    });

    it("sends only what was requested", async () => {
      const user = await createMachineUser(service, "quiet");
      await createGroup(service, "quiet", { emails: [user.email] });
      const silent = await subscribe(user, { toolsListChanged: false });
      const loud = await subscribe(user, { toolsListChanged: true });
      await setSecond("POST", "quiet");
      await loud.until(TOOLS_CHANGED);
      assert.deepEqual(
        silent.messages.map((message) => message.method),
        ["notifications/subscriptions/acknowledged"],
      );
      assert.deepEqual(silent.messages[0].params.notifications, {});
      silent.close();
      loud.close();
    });

    it("grants each list separately", async () => {
      const wishes = { promptsListChanged: true, resourcesListChanged: true, unknown: true };
      const stream = await subscribe(bot, wishes, "x");
      await stream.until(/acknowledged/);
      assert.deepEqual(stream.messages[0].params.notifications, {
        promptsListChanged: true,
        resourcesListChanged: true,
      });
      stream.close();
    });

    it("is rejected with -32602 without requested notifications", async () => {
      for (const wishes of [undefined, null, [], "tools"]) {
        const answer = await subscribe(bot, wishes);
        await answer.until(/-32602/);
      }
    });
  });

  it("ends every stream first when the service stops", async () => {
    const short = await startService(await open());
    const user = await createMachineUser(short, "short");
    const answer = await short.mcp(user.credential, rpc("initialize"));
    const session = String(answer.headers["mcp-session-id"]);
    const stream = await readEvents(`${short.url}/mcp`, {
      method: "GET",
      headers: { authorization: `Bearer ${user.credential}`, "mcp-session-id": session },
    });
    await short.close();
    await stream.ended;
  });

  it("opens a session's id in every replica", async () => {
    const database = await open();
    const [one, two] = [await startService(database), await startService(database)];
    const user = await createMachineUser(one, "roamer");
    const session = String((await one.mcp(user.credential, rpc("initialize"))).headers["mcp-session-id"]);
    assert.equal((await two.mcp(user.credential, rpc("ping"), { "mcp-session-id": session })).status, 200);
    await one.close();
    await two.close();
  });
});

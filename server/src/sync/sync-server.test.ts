import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { createLogger } from "#lib/logger";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { rpc } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { listenOnLoopback } from "#test/upstreams/loopback";
import { type RawTool, type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const tool = (name: string, rest: object = {}) => ({
  name,
  description: name,
  inputSchema: { type: "object" },
  ...rest,
});

forEachDatabase("a sync", (open) => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  const lines: string[] = [];
  const upstreams: RawUpstream[] = [];

  before(async () => {
    database = await open();
    const logger = createLogger("warn", { write: (line) => void lines.push(line) });
    service = await startService(database, { logger });
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { emails: [bot.email], settings: { auto_assign_mcps: true } });
  });
  after(async () => {
    for (const upstream of upstreams) await upstream.close();
    await service?.close();
  });

  const startUpstream = async (tools: readonly RawTool[], delayMs = 0) => {
    const upstream = await startRawUpstream({ tools, delayMs: () => delayMs });
    upstreams.push(upstream);
    return upstream;
  };
  const server = async (slug: string) => (await service.api("GET", `/api/mcp-servers/${slug}`)).body.data;
  const sync = async (slug: string) => (await service.api("POST", `/api/mcp-servers/${slug}/sync`)).body.data;
  const request = (method: string, params: object) => service.mcp(bot.credential, rpc(method, params));
  const listed = async (slug: string): Promise<string[]> => {
    const { tools } = (await request("tools/list", {})).body.result;
    return tools.map(({ name }: { name: string }) => name).filter((name: string) => name.startsWith(`${slug}__`));
  };
  const move = (slug: string, url: string) =>
    service.api("PATCH", `/api/mcp-servers?slug=${slug}`, { mcp_proxy: JSON.stringify({ type: "http", url }) });
  const until = async (condition: () => Promise<boolean> | boolean) => {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it("makes the upstream's tools available in the API and at the gateway", async () => {
    const upstream = await startUpstream([tool("one", { title: "The first" }), tool("two")]);
    const slug = await createSyncedServer(service, "Plain", upstream.url);
    assert.deepEqual(await listed(slug), ["plain__one", "plain__two"]);
    const { tools, tools_synced_at, sync_error } = await server(slug);
    assert.deepEqual(tools[0], { name: "The first", slug: "one", description: "one" });
    assert.ok(Date.parse(tools_synced_at) > 0);
    assert.equal(sync_error, null);
    upstream.tools = [tool("three")];
    assert.deepEqual(await sync(slug), { slug, tools_count: 1, sync_error: null });
    assert.deepEqual(await listed(slug), ["plain__three"]);
  });

  it("does not share a sync that started before the request", async () => {
    const upstream = await startUpstream([tool("old")], 50);
    const slug = await createServer(service, "Fresh", upstream.url);
    await until(() => upstream.count("tools/list") > 0);
    upstream.tools = [tool("new"), tool("newer")];
    assert.deepEqual(await sync(slug), { slug, tools_count: 2, sync_error: null });
  });

  it("skips and logs tools that clients reject, and keeps all others", async () => {
    const deep = `${'{"properties":'.repeat(100)}{}${"}".repeat(100)}`;
    const upstream = await startUpstream([
      tool("good"),
      tool("array", { inputSchema: { type: "array" } }),
      '{"inputSchema":{}}',
      '"a text"',
      `{"name":"deep","inputSchema":${deep}}`,
      tool("nul", { title: "a\u0000b", description: "c\u0000d" }),
      tool("good", { description: "again" }),
      tool("null-text", { description: null, inputSchema: null }),
      tool("header", { inputSchema: { type: "object", properties: { a: { type: "object", "x-mcp-header": "A" } } } }),
    ]);
    const slug = await createSyncedServer(service, "Mixed", upstream.url);
    assert.deepEqual(await listed(slug), ["mixed__good", "mixed__nul", "mixed__null-text"]);
    const reasons = lines.filter((line) => line.includes('"server":"mixed"')).map((line) => JSON.parse(line));
    assert.deepEqual([...new Set(reasons.map(({ reason, tool: twice }) => reason ?? twice))].sort(), [
      "good",
      "its definition is not an object",
      "its inputSchema is nested too deeply",
      'its inputSchema is not of type "object"',
      "its name is missing, too long, or contains control characters",
      "its x-mcp-header is invalid",
    ]);
  });

  it("shortens names that clients reject, and the gateway accepts both forms (D28)", async () => {
    const names = ["x".repeat(100), "list issues / all", "搜索", "dotted.name"];
    const upstream = await startUpstream(names.map((name) => tool(name)));
    const slug = await createSyncedServer(service, "Long", upstream.url);
    const shown = await listed(slug);
    assert.equal(shown.length, names.length);
    for (const name of shown) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
    assert.deepEqual(await sync(slug).then(() => listed(slug)), shown, "the same at each sync");
    for (const name of [...shown, ...names.map((original) => `${slug}__${original}`)]) {
      const answer = await request("tools/call", { name, arguments: { asked: name } });
      assert.deepEqual(answer.body.result?.structuredContent, { asked: name }, answer.text);
    }
    const called = upstream.seen.filter((seen) => seen.method === "tools/call").map((seen) => seen.tool);
    assert.deepEqual(called, [...names, ...names]);
  });

  it("keeps 64-bit numbers of a definition exactly", async () => {
    const upstream = await startUpstream([
      '{"name":"n","inputSchema":{"type":"object","maxProperties":9223372036854775807}}',
    ]);
    await createSyncedServer(service, "Numbers", upstream.url);
    assert.match((await request("tools/list", {})).text, /"maxProperties":9223372036854775807/);
  });

  it("keeps the tools and stores the error if it fails, and clears the error on success", async () => {
    const upstream = await startUpstream([tool("kept")]);
    const slug = await createSyncedServer(service, "Flaky", upstream.url);
    upstream.behave = () => ({ status: 503 });
    const sentence = 'Server "flaky" answered with HTTP 503';
    assert.deepEqual(await sync(slug), { slug, tools_count: 1, sync_error: sentence });
    assert.equal((await server(slug)).sync_error, sentence);
    assert.deepEqual(await listed(slug), ["flaky__kept"]);
    upstream.behave = () => "json";
    assert.equal((await sync(slug)).sync_error, null);
    assert.equal((await server(slug)).sync_error, null);
  });

  it("never enables a disabled tool, even if the upstream removed it in between", async () => {
    const upstream = await startUpstream([tool("on"), tool("off")]);
    const slug = await createSyncedServer(service, "Switch", upstream.url);
    const { main } = database.databases;
    await main.updateTable("server_tools").set({ enabled: false }).where("upstream_name", "=", "off").execute();
    await service.api("PATCH", `/api/mcp-servers?slug=${slug}`, { name: "Switched" });
    for (const tools of [["on"], ["off", "on"]]) {
      upstream.tools = tools.map((name) => tool(name));
      await sync(slug);
      assert.deepEqual(await listed(slug), ["switch__on"]);
    }
    assert.equal((await request("tools/call", { name: "switch__off", arguments: {} })).body.error.code, -32602);
  });

  it("deletes the tools of the old URL when the URL changes", async () => {
    const [old, young] = [await startUpstream([tool("old")]), await startUpstream([tool("young")])];
    const slug = await createSyncedServer(service, "Moving", old.url);
    await move(slug, young.url);
    assert.deepEqual(await listed(slug), ["moving__young"]);
    assert.equal((await request("tools/call", { name: "moving__old", arguments: {} })).body.error.code, -32602);
  });

  it("neither waits for an old URL that hangs nor reports its failure for the new one", async () => {
    const [old, young] = [await startUpstream([tool("old")]), await startUpstream([tool("young")])];
    const slug = await createSyncedServer(service, "Hung", old.url);
    old.behave = ({ method }) => (method === "server/discover" ? "hang" : { status: 500 });
    const requests = old.seen.length;
    const hanging = sync(slug);
    await until(() => old.seen.length > requests);
    await move(slug, young.url);
    assert.equal((await sync(slug)).sync_error, null);
    assert.deepEqual(await listed(slug), ["hung__young"]);
    await old.close();
    await hanging;
    assert.equal((await server(slug)).sync_error, null);
    assert.deepEqual(await listed(slug), ["hung__young"]);
  });

  it("ignores a response of the old URL after the URL changed", async () => {
    const [old, young] = [await startUpstream([tool("old")], 30), await startUpstream([tool("young")])];
    const slug = await createSyncedServer(service, "Late", old.url);
    const requests = old.seen.length;
    const reading = sync(slug);
    await until(() => old.seen.length > requests);
    await move(slug, young.url);
    assert.deepEqual(await listed(slug), ["late__young"]);
    await reading;
    assert.deepEqual(await listed(slug), ["late__young"]);
  });

  it("uses the new slug if the server is renamed meanwhile", async () => {
    const upstream = await startUpstream([tool("x".repeat(60))], 20);
    const slug = await createSyncedServer(service, "Short", upstream.url);
    const [before = ""] = await listed(slug);
    const requests = upstream.seen.length;
    const reading = sync(slug);
    await until(() => upstream.seen.length > requests);
    const renamed = "a-slug-that-is-much-longer-than-before";
    await service.api("PATCH", `/api/mcp-servers?slug=${slug}`, { slug: renamed });
    await reading;
    await sync(renamed);
    const [after = ""] = await listed(renamed);
    assert.deepEqual([before.length, after.length], [64, 64]);
  });

  it("stores nothing if the server is deleted meanwhile", async () => {
    const upstream = await startUpstream([tool("a")], 20);
    const slug = await createSyncedServer(service, "Deleted", upstream.url);
    const { id } = await server(slug);
    const requests = upstream.seen.length;
    const reading = service.api("POST", `/api/mcp-servers/${slug}/sync`);
    await until(() => upstream.seen.length > requests);
    await service.api("DELETE", `/api/mcp-servers?slug=${slug}`);
    assert.equal((await reading).status, 404);
    const rows = database.databases.main.selectFrom("server_tools").selectAll().where("server_id", "=", id);
    assert.deepEqual(await rows.execute(), []);
  });

  it("runs for at most eight servers concurrently, and for all eventually", async () => {
    let underWay = 0;
    let highest = 0;
    const eightCame = Promise.withResolvers<void>();
    const slow = await listenOnLoopback(async (request, response) => {
      highest = Math.max(highest, ++underWay);
      request.resume();
      if (underWay === 8) setTimeout(eightCame.resolve, 50);
      await eightCame.promise;
      underWay--;
      response.writeHead(500).end();
    });
    const names = Array.from({ length: 30 }, (_, i) => `crowd-${i}`);
    await Promise.all(names.map((name) => createServer(service, name, `${slow.origin}/mcp`)));
    const answers = await Promise.all(names.map(sync));
    assert.ok(answers.every((answer) => /HTTP 500$/.test(answer.sync_error)));
    assert.equal(highest, 8);
    await slow.close();
  });

  it("is not awaited again by lists after a failure, until the server is changed", async () => {
    const upstream = await startUpstream([tool("late")]);
    upstream.behave = () => ({ status: 500 });
    const slug = await createServer(service, "Dead", upstream.url);
    assert.deepEqual(await listed(slug), []);
    const attempts = upstream.seen.length;
    for (let i = 0; i < 3; i++) assert.deepEqual(await listed(slug), []);
    assert.equal(upstream.seen.length, attempts);
    upstream.behave = () => "json";
    await move(slug, `${upstream.origin}/mcp?moved`);
    assert.deepEqual(await listed(slug), ["dead__late"]);
  });

  it("reports what is missing without an upstream or a connected user", async () => {
    const bare = await createServer(service, "Bare");
    const answer = await service.api("POST", `/api/mcp-servers/${bare}/sync`);
    assert.deepEqual([answer.status, answer.body], [400, { error: "MCP server has no upstream yet" }]);
    const upstream = await startUpstream([]);
    const guarded = await createServer(service, "Guarded", upstream.url, {
      auth_settings: { authType: "proxy-api-key" },
    });
    assert.match((await sync(guarded)).sync_error, /when a user connects/);
    assert.equal(upstream.seen.length, 0);
  });

  it("uses only the credential of the configured sync user (D40)", async () => {
    const upstream = await startUpstream([tool("one")]);
    const refuses = ({ headers }: { headers: object }) =>
      "authorization" in headers ? ("json" as const) : { status: 401 };
    upstream.behave = refuses;
    const slug = await createServer(service, "Keyed", upstream.url, { auth_settings: { authType: "proxy-api-key" } });
    const noAccount = "No account is selected for syncing. Tools are synced when a user connects or calls the server";
    assert.equal((await sync(slug)).sync_error, noAccount);
    const choose = (email: string | null) =>
      service.api("PATCH", `/api/mcp-servers?slug=${slug}`, { sync_user_email: email });
    assert.equal(
      (await choose("nobody@example.com")).body.message,
      "sync_user_email: user not found: nobody@example.com",
    );
    assert.equal((await choose(bot.email.toUpperCase())).status, 200);
    assert.equal((await server(slug)).sync_user_email, bot.email);
    assert.equal((await sync(slug)).sync_error, "The user whose account is used to sync the tools is not connected");
    assert.equal(upstream.seen.length, 0);
    const put = await service.api("PUT", `/api/user/api-key?email=${bot.email}&mcp=${slug}`, { key: "chosen" });
    assert.equal(put.status, 200, put.text);
    assert.deepEqual(await sync(slug), { slug, tools_count: 1, sync_error: null });
    assert.deepEqual(new Set(upstream.seen.map(({ headers }) => headers.authorization)), new Set(["Bearer chosen"]));
    const methods = new Set(upstream.seen.map(({ method }) => method));
    assert.equal(methods.has("tools/call"), false);
    const place = await startUpstream([]);
    const moveWithoutNotice = (upstream_url: string) =>
      database.databases.main.updateTable("mcp_servers").set({ upstream_url }).where("slug", "=", slug).execute();
    await moveWithoutNotice(place.url);
    assert.match((await sync(slug)).sync_error, /changed during the sync|is not connected/);
    assert.equal(
      place.seen.length,
      0,
      "another replica changed the URL, and this one has not received the change yet (AZ-8)",
    );
    await moveWithoutNotice(upstream.url);
    assert.equal((await choose(null)).status, 200);
    assert.deepEqual([(await sync(slug)).sync_error, (await server(slug)).sync_user_email], [noAccount, null]);
  });
});

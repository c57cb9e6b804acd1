import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

onSqlite("URLs for one server (D27)", (open) => {
  let service: Service;
  let upstream: RawUpstream;
  let bot: MachineUser;

  before(async () => {
    service = await startService(await open());
    upstream = await startRawUpstream();
    await createSyncedServer(service, "Echo", upstream.url);
    await createSyncedServer(service, "Other", upstream.url);
    await createSyncedServer(service, "Hidden", upstream.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["echo", "other"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
  });

  const post = (target: string, method: string, params: object = {}) =>
    service.http(target, {
      method: "POST",
      headers: { authorization: `Bearer ${bot.credential}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
  const names = async (target: string) => {
    const { body } = await post(target, "tools/list");
    return body.result.tools.map((tool: { name: string }) => tool.name);
  };

  it("lists only one server's tools at /mcp?mcp=<slug>, with prefixes", async () => {
    assert.deepEqual(await names("/mcp?mcp=echo"), ["echo__echo", "echo__headers"]);
    assert.equal((await names("/mcp")).length, 4);
  });

  it("lists the same tools at /mcp/<slug>, without prefixes", async () => {
    assert.deepEqual(await names("/mcp/echo"), ["echo", "headers"]);
    const [prefixed, bare] = [await post("/mcp?mcp=echo", "tools/list"), await post("/mcp/echo", "tools/list")];
    assert.equal(bare.text, prefixed.text.replaceAll('"name":"echo__', '"name":"'));
  });

  it("accepts only the names that the URL lists", async () => {
    for (const [target, name] of [
      ["/mcp?mcp=echo", "echo__echo"],
      ["/mcp/echo", "echo"],
    ] as const) {
      const answer = await post(target, "tools/call", { name, arguments: { a: 1 } });
      assert.ok(answer.body.result, answer.text);
    }
    const { data } = (await service.api("GET", "/api/logs?limit=2&method=tools/call")).body;
    for (const row of data) assert.deepEqual([row.server_slug, row.tool, row.outcome], ["echo", "echo", "ok"]);
    for (const [target, name] of [
      ["/mcp?mcp=echo", "other__echo"],
      ["/mcp?mcp=echo", "echo"],
      ["/mcp/echo", "echo__echo"],
      ["/mcp/echo", "other__echo"],
    ] as const) {
      const { body } = await post(target, "tools/call", { name, arguments: {} });
      assert.deepEqual(body.error, { code: -32602, message: `Unknown tool: ${name}` }, target);
    }
  });

  it("treats an inaccessible server like one that does not exist: a handshake, empty lists, unknown tools", async () => {
    for (const prefix of ["/mcp?mcp=", "/mcp/"]) {
      for (const [method, params] of [
        ["initialize", {}],
        ["tools/list", {}],
        ["tools/call", { name: "hidden__echo", arguments: {} }],
        ["tools/call", { name: "echo", arguments: {} }],
      ] as const) {
        const hidden = await post(`${prefix}hidden`, method, params);
        const unknown = await post(`${prefix}nowhere`, method, params);
        assert.deepEqual([hidden.status, hidden.text], [unknown.status, unknown.text]);
        assert.equal(hidden.status, 200);
      }
      assert.deepEqual(await names(`${prefix}hidden`), []);
    }
  });

  it("rejects a URL that names a server twice", async () => {
    for (const target of ["/mcp?mcp=echo&mcp=other", "/mcp/echo?mcp=echo"]) {
      const answer = await post(target, "tools/list");
      assert.deepEqual([answer.status, answer.body.error.code], [400, -32600], target);
    }
  });

  it("requires a credential at a server's URL", async () => {
    for (const target of ["/mcp/echo", "/mcp/nowhere"]) {
      const { status, text } = await service.http(target, { method: "POST", body: "{}" });
      assert.deepEqual([status, text], [401, '{"error":"invalid_token"}']);
    }
  });

  it("follows a changed slug and disabled tools", async () => {
    const slug = await createServer(service, "Fresh", upstream.url);
    await createGroup(service, "fresh", { slugs: [slug], emails: [bot.email] });
    assert.deepEqual(await names("/mcp/fresh"), ["echo", "headers"]);
    await service.api("PATCH", "/api/mcp-servers/tools?slug=fresh", { disable: ["headers"] });
    assert.deepEqual(await names("/mcp/fresh"), ["echo"]);
    await service.api("PATCH", "/api/mcp-servers?slug=fresh", { slug: "ripe" });
    assert.deepEqual([await names("/mcp/fresh"), await names("/mcp/ripe")], [[], ["echo"]]);
  });
});

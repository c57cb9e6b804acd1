import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { MCP_2024_11_05, MCP_2026_07_28, MODERN_META, modernHeaders, rpc } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

forEachDatabase("gateway", (open) => {
  let service: Service;
  let upstream: RawUpstream;
  let bot: MachineUser;

  before(async () => {
    service = await startService(await open());
    upstream = await startRawUpstream();
    await createSyncedServer(service, "Echo", upstream.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
  });

  describe("for a legacy caller with the three headers of Spec 4.5", () => {
    it("initialize returns the requested version and the gateway's name", async () => {
      const params = { protocolVersion: MCP_2024_11_05, capabilities: {}, clientInfo: { name: "t", version: "1" } };
      const answer = await service.mcp(bot.credential, rpc("initialize", params));
      assert.equal(answer.status, 200);
      assert.equal(answer.body.result.protocolVersion, MCP_2024_11_05);
      assert.deepEqual(Object.keys(answer.body.result.capabilities), [
        "tools",
        "prompts",
        "resources",
        "completions",
        "logging",
        "extensions",
      ]);
      assert.equal(answer.body.result.serverInfo.name, "gatehouse");
    });

    it("tools/list returns the group's tools with prefixed names", async () => {
      const answer = await service.mcp(bot.credential, rpc("tools/list", {}));
      assert.deepEqual(
        answer.body.result.tools.map((tool: { name: string }) => tool.name),
        ["echo__echo", "echo__headers"],
      );
      assert.equal("resultType" in answer.body.result, false);
    });

    it("tools/call returns the caller's id, and the log contains the caller", async () => {
      const answer = await service.mcp(
        bot.credential,
        '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"echo__echo","arguments":{"n":12345678901234567890}}}',
      );
      assert.match(answer.text, /"id":9007199254740993/);
      assert.match(answer.text, /12345678901234567890/);
      const { data } = (await service.api("GET", "/api/logs?limit=1&method=tools/call")).body;
      assert.equal(data[0].user_email, bot.email);
      assert.deepEqual([data[0].server_slug, data[0].tool, data[0].outcome], ["echo", "echo", "ok"]);
      assert.equal(data[0].request_id, answer.headers["x-request-id"]);
    });

    it("returns the same error for an unknown and an inaccessible tool", async () => {
      await createSyncedServer(service, "Hidden", upstream.url);
      const unknown = await service.mcp(bot.credential, rpc("tools/call", { name: "nowhere__echo", arguments: {} }));
      const hidden = await service.mcp(bot.credential, rpc("tools/call", { name: "hidden__echo", arguments: {} }));
      assert.equal(unknown.body.error.code, -32602);
      assert.equal(hidden.text.replaceAll("hidden", "nowhere"), unknown.text);
    });

    it("returns empty prompt and resource lists, answers ping, and accepts notifications with 202", async () => {
      for (const [method, member] of [
        ["prompts/list", "prompts"],
        ["resources/list", "resources"],
        ["resources/templates/list", "resourceTemplates"],
      ] as const) {
        assert.deepEqual((await service.mcp(bot.credential, rpc(method, {}))).body.result, { [member]: [] });
      }
      assert.deepEqual((await service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method: "ping" })).body.result, {});
      const note = await service.mcp(bot.credential, { jsonrpc: "2.0", method: "notifications/initialized" });
      assert.deepEqual([note.status, note.text], [202, ""]);
    });

    it("answers an unknown method with 200 and -32601", async () => {
      const answer = await service.mcp(bot.credential, rpc("no/such", {}));
      assert.deepEqual([answer.status, answer.body.error.code], [200, -32601]);
    });
  });

  describe("for a modern caller", () => {
    it("returns the members that the era requires from server/discover, tools/list, and tools/call", async () => {
      const discover = await service.mcp(
        bot.credential,
        rpc("server/discover", { _meta: MODERN_META }),
        modernHeaders("server/discover"),
      );
      assert.deepEqual(discover.body.result.supportedVersions, [MCP_2026_07_28]);
      assert.deepEqual(discover.body.result.capabilities.logging, {});
      const list = await service.mcp(
        bot.credential,
        rpc("tools/list", { _meta: MODERN_META }),
        modernHeaders("tools/list"),
      );
      assert.deepEqual(
        [list.body.result.resultType, list.body.result.cacheScope, list.body.result.tools.length],
        ["complete", "private", 2],
      );
      const call = await service.mcp(
        bot.credential,
        rpc("tools/call", { name: "echo__echo", arguments: { a: 1 }, _meta: MODERN_META }, "x"),
        modernHeaders("tools/call", "echo__echo"),
      );
      assert.deepEqual([call.status, call.body.id, call.body.result.resultType], [200, "x", "complete"]);
    });

    it("answers an unknown method with 404 and -32601", async () => {
      const answer = await service.mcp(
        bot.credential,
        rpc("no/such", { _meta: MODERN_META }),
        modernHeaders("no/such"),
      );
      assert.deepEqual([answer.status, answer.body.error.code], [404, -32601]);
    });
  });

  it("lists nothing for a machine user without a group (Spec 4.5 rule 3)", async () => {
    const loner = await createMachineUser(service, "loner");
    assert.equal((await service.mcp(loner.credential, rpc("initialize", {}))).status, 200);
    assert.deepEqual((await service.mcp(loner.credential, rpc("tools/list", {}))).body.result.tools, []);
  });

  it("returns the same 401 for every wrong credential, except for Date and x-request-id (AUTH-4)", async () => {
    const [key = "", secret = ""] = bot.credential.split(":");
    const [rotated, disabled, deleted] = [
      await createMachineUser(service, "rotated"),
      await createMachineUser(service, "disabled"),
      await createMachineUser(service, "deleted"),
    ];
    for (const [method, path, body] of [
      ["POST", `/api/users/rotate-secret?email=${rotated.email}`],
      ["PATCH", `/api/users?email=${disabled.email}`, { disabled: true }],
      ["DELETE", `/api/users?email=${deleted.email}`],
    ] as const) {
      assert.equal((await service.api(method, path, body)).status, 200, path);
    }
    const wrong: (string | undefined)[] = [
      `Bearer ${rotated.credential}`,
      `Bearer ${disabled.credential}`,
      `Bearer ${deleted.credential}`,
      `Bearer ${deleted.credential.split(":")[0]}:${secret}`,
      `Bearer ${key}::${secret}`,
      `Bearer ${key}:${secret}\u00e9`,
      `Bearer ${key} :${secret}`,
      `Bearer\t${key}:${secret}`,
      `${key}:${secret}`,
      undefined,
      "",
      "Bearer",
      `Bearer ${key}`,
      `Bearer ${secret}`,
      `Bearer ${key}:`,
      `Bearer :${secret}`,
      `Bearer ${key}:${secret}x`,
      `Bearer ${key}:${secret}:`,
      `Basic ${key}:${secret}`,
      `Bearer ${key.slice(0, -1)}:${secret}`,
      `Bearer ${service.token}`,
      `Bearer ${"a".repeat(9000)}:${secret}`,
    ];
    const answers = new Set<string>();
    for (const authorization of wrong) {
      const headers = authorization === undefined ? {} : { authorization };
      const { status, headers: seen, text } = await service.http("/mcp", { method: "POST", headers, body: "{}" });
      const { date: _date, "x-request-id": _id, ...rest } = seen;
      answers.add(JSON.stringify([status, rest, text]));
    }
    assert.equal(answers.size, 1, [...answers].join("\n"));
    const [only = ""] = answers;
    assert.match(only, /^\[401,/);
    assert.match(only, /\{\\"error\\":\\"invalid_token\\"\}/);
  });

  it("syncs a new server before it answers the first list", async () => {
    const slug = await createServer(service, "Fresh", upstream.url);
    const user = await createMachineUser(service, "early");
    await createGroup(service, "early birds", { slugs: [slug], emails: [user.email] });
    const list = await service.mcp(user.credential, rpc("tools/list", {}));
    assert.equal(list.body.result.tools.length, 2);
  });

  it("names an unreachable server in the error, and logs the call", async () => {
    const dying = await startRawUpstream();
    const slug = await createSyncedServer(service, "Dying", dying.url);
    const user = await createMachineUser(service, "mourner");
    await createGroup(service, "mourners", { slugs: [slug], emails: [user.email] });
    await dying.close();
    const answer = await service.mcp(user.credential, rpc("tools/call", { name: "dying__echo", arguments: {} }));
    assert.equal(answer.status, 200);
    assert.match(answer.body.error.message, /^Server "dying" /);
    assert.equal(answer.body.error.data.requestId, answer.headers["x-request-id"]);
    const { data } = (await service.api("GET", "/api/logs?limit=1&server=dying")).body;
    assert.equal(data[0].outcome, "upstream_failed");
  });
});

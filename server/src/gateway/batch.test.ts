import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { after, before, it } from "node:test";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { MCP_2024_11_05, MCP_2025_03_26, MCP_2025_06_18, MCP_2025_11_25, MCP_2026_07_28, rpc } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

onSqlite("batches in version 2025-03-26", (open) => {
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

  const call = (id: unknown, name = "echo__echo") => rpc("tools/call", { name, arguments: { id } }, id);
  const note = { jsonrpc: "2.0", method: "notifications/initialized" };
  const response = { jsonrpc: "2.0", id: 7, result: {} };

  it("return one array in the order of the requests, and log each request separately", async () => {
    const batch = [
      call("a"),
      note,
      rpc("ping", {}, 2),
      call("c", "echo__nothing"),
      response,
      rpc("tools/list", {}, "e"),
    ];
    const answer = await service.mcp(bot.credential, batch, { "mcp-protocol-version": MCP_2025_03_26 });
    assert.equal(answer.status, 200);
    assert.deepEqual(
      answer.body.map((one: { id: unknown }) => one.id),
      ["a", 2, "c", "e"],
    );
    const [first, ping, unknown, list] = answer.body;
    assert.ok(first.result.content);
    assert.deepEqual([ping.result, unknown.error.code, list.result.tools.length], [{}, -32602, 2]);

    const { data } = (await service.api("GET", "/api/logs?limit=3")).body;
    const rows = data.map((row: { method: string; outcome: string }) => `${row.method} ${row.outcome}`).sort();
    assert.deepEqual(rows, ["tools/call denied", "tools/call ok", "tools/list ok"]);
    const ids = new Set(data.map((row: { request_id: string }) => row.request_id));
    assert.equal(ids.size, 3);
    for (const id of ids) assert.ok(`${id}`.startsWith(`${answer.headers["x-request-id"]}-`));
  });

  it("return each of 20 calls its own result", async () => {
    const answer = await service.mcp(
      bot.credential,
      Array.from({ length: 20 }, (_, id) => call(id)),
    );
    assert.equal(answer.body.length, 20);
    for (const [at, { id, result }] of answer.body.entries()) {
      assert.deepEqual([id, result.structuredContent], [at, { id: at }]);
    }
  });

  it("return 202 if they contain only notifications and responses", async () => {
    const answer = await service.mcp(bot.credential, [note, response]);
    assert.deepEqual([answer.status, answer.text], [202, ""]);
  });

  it("fail only the invalid messages", async () => {
    const modern = { _meta: { "io.modelcontextprotocol/protocolVersion": MCP_2026_07_28 } };
    const batch = [
      5,
      rpc("initialize"),
      [rpc("ping", {}, 2)],
      rpc("no/such", {}, 3),
      rpc("ping", modern, 4),
      rpc("ping", {}, 5),
    ];
    const answer = await service.mcp(bot.credential, batch);
    assert.deepEqual(
      answer.body.map((one: { id: unknown; error?: { code: number } }) => [one.id, one.error?.code]),
      [
        [null, -32600],
        [1, -32600],
        [null, -32600],
        [3, -32601],
        [4, -32602],
        [5, undefined],
      ],
    );
  });

  it("are rejected in every other version", async () => {
    for (const version of [MCP_2024_11_05, MCP_2025_06_18, MCP_2025_11_25, MCP_2026_07_28, "1"]) {
      const answer = await service.mcp(bot.credential, [rpc("ping")], { "mcp-protocol-version": version });
      assert.deepEqual([answer.status, answer.body.error.code], [400, -32600], version);
    }
  });

  it("cancel all calls when the caller disconnects", async () => {
    const leaver = await createMachineUser(service, "leaver");
    await createGroup(service, "leavers", { slugs: ["echo"], emails: [leaver.email] });
    const { behave } = upstream;
    upstream.behave = (seen) => (seen.method === "tools/call" ? "hang" : behave(seen));
    const request = httpRequest(`${service.url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${leaver.credential}`, "content-type": "application/json" },
    });
    request.on("error", () => {});
    const before = upstream.count("tools/call");
    request.end(JSON.stringify(Array.from({ length: 12 }, (_, id) => call(id))));
    while (upstream.count("tools/call") < before + 12) await new Promise((resolve) => setTimeout(resolve, 5));
    request.destroy();
    let outcomes: string[] = [];
    while (outcomes.length < 12) {
      const { data } = (await service.api("GET", `/api/logs?limit=20&user=${leaver.email}`)).body;
      outcomes = data.map((row: { outcome: string }) => row.outcome);
    }
    upstream.behave = behave;
    assert.deepEqual(new Set(outcomes), new Set(["cancelled"]));
  });
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";
import { createSyncedServer } from "#test/factories";
import { startRawUpstream } from "#test/upstreams/raw";

forEachApi("tools in configuration files", (api) => {
  it("keeps tools disabled and limited after the server was deleted and applied again", async (test) => {
    const upstream = await startRawUpstream();
    test.after(() => upstream.close());
    await createSyncedServer(api.service, "Echo", upstream.url);
    const ok = async (method: string, path: string, body?: unknown) => {
      const answer = await api.call(method, path, body);
      assert.ok(answer.status < 300, answer.text);
      return answer.body.data;
    };
    const [{ slug: name }] = (await ok("GET", "/api/mcp-servers/echo")).tools;
    const limits = [{ tool: name, calls_per_minute: 5 }];
    await ok("PATCH", "/api/mcp-servers/tools?slug=echo", { disable: [name], limits });
    const exported = async () => (await ok("GET", "/api/config")).config.servers;
    const servers = await exported();
    assert.deepEqual(servers[0].disabled_tools, [name]);
    assert.deepEqual(servers[0].tool_limits, { [name]: { calls_per_minute: 5, concurrent_calls: null } });

    await ok("DELETE", "/api/mcp-servers?slug=echo");
    await ok("POST", "/api/config/apply", { config: { servers } });
    assert.deepEqual(await exported(), servers, "before the first sync");
    await ok("POST", "/api/mcp-servers/echo/sync");
    assert.deepEqual(await exported(), servers, "after the sync");
    const { enabled, slug } = await api.db
      .selectFrom("server_tools")
      .select(["enabled", "slug"])
      .where("upstream_name", "=", name)
      .executeTakeFirstOrThrow();
    assert.deepEqual([Boolean(enabled), slug], [false, name]);
    const locked = await api.call("PATCH", "/api/mcp-servers/tools?slug=echo", { enable: [name] });
    assert.equal(locked.status, 409, locked.text);
    assert.match(locked.text, /managed by files \(disabled_tools\)/);
    await ok("POST", "/api/config/release", { kind: "servers", key: "echo" });
    await ok("PATCH", "/api/mcp-servers/tools?slug=echo", {
      enable: [name],
      limits: [{ tool: name, calls_per_minute: null }],
    });
    const planned = await ok("POST", "/api/config/plan", { config: { servers } });
    assert.deepEqual(
      planned[0].changes.map(({ field }: { field: string }) => field),
      ["disabled_tools", "tool_limits"],
    );
    await ok("POST", "/api/config/apply", { config: { servers } });
    const empty = [{ slug: "echo", disabled_tools: [], tool_limits: {} }];
    await ok("POST", "/api/config/apply", { config: { servers: empty } });
    const [{ disabled_tools: disabled, tool_limits: none }] = await exported();
    assert.deepEqual([disabled, none], [[], {}]);
  });
});

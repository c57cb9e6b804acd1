import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

forEachApi("GET and sync of one MCP server", (api) => {
  let upstream: RawUpstream;
  before(async () => {
    upstream = await startRawUpstream();
  });
  after(() => upstream.close());
  const get = async (slug: string) => (await api.call("GET", `/api/mcp-servers/${slug}`)).body.data;

  describe("GET /api/mcp-servers/{slug}", () => {
    it("returns the fields of the list, the settings, the tools, and the result of the last sync", async () => {
      const slug = await createSyncedServer(api.service, "Echo", upstream.url, { description: "Echoes" });
      const data = await get(slug);
      assert.deepEqual(Object.keys(data).sort(), [
        "all_tools",
        "auth_settings",
        "auth_type",
        "connection",
        "connections",
        "connector_id",
        "created_at",
        "description",
        "groups",
        "has_shared_credential",
        "health",
        "id",
        "instructions",
        "is_local_mcp",
        "largest",
        "limits",
        "logo_url",
        "name",
        "needs_setup",
        "oauth",
        "oauth_change",
        "oauth_change_pending",
        "pass_instructions",
        "recent_calls",
        "result_limit_bytes",
        "slug",
        "status",
        "sync_error",
        "sync_user_email",
        "tokens_estimate",
        "tool_policy",
        "tools",
        "tools_changed_count",
        "tools_count",
        "tools_held_count",
        "tools_synced_at",
        "updated_at",
        "users_count",
      ]);
      assert.deepEqual([data.tools_count, data.tools.length, data.sync_error, data.needs_setup], [2, 2, null, false]);
      assert.deepEqual(Object.keys(data.tools[0]).sort(), ["description", "name", "slug"]);
      assert.match(data.id, /^srv_/);
      for (const time of [data.created_at, data.updated_at, data.tools_synced_at]) {
        assert.equal(new Date(time).toISOString(), time);
      }
    });

    it("reports needs_setup without an upstream or without an OAuth client (D32)", async () => {
      const rest = (auth_settings: object) => ({ status: "draft", auth_settings });
      const url = "http://10.0.0.1/";
      for (const [auth, at, needed] of [
        [{}, undefined, true],
        [{}, url, false],
        [{ authType: "proxy-oauth" }, url, true],
        [{ authType: "proxy-oauth", clientId: "x" }, url, false],
        [{ authType: "proxy-oauth", registrationUrl: "https://idp.example.com/r" }, url, false],
        [{ authType: "proxy-api-key" }, url, false],
      ] as const) {
        const slug = await createServer(api.service, "Setup", at, rest(auth));
        assert.equal((await get(slug)).needs_setup, needed, JSON.stringify(auth));
      }
    });

    it("responds with 404 for an unknown or invalid slug", async () => {
      for (const slug of ["nowhere", "ECHO", "a%2Fb", "%F0%9F%9A%80", "..%2f"]) {
        await api.expect(404, { error: "MCP server not found" }, "GET", `/api/mcp-servers/${slug}`);
      }
    });

    it("responds with 400 for a blank slug and for NUL", async () => {
      await api.invalid("slug: slug is required", "GET", "/api/mcp-servers/%20");
      await api.invalid("slug: must be well-formed text without NUL characters", "GET", "/api/mcp-servers/a%00");
    });
  });

  describe("logo_url (D29)", () => {
    it("is a URL of Gatehouse that serves an image for every name", async () => {
      for (const name of ["Zebra", "7even", "Übung", "日本語", "🚀", "<svg onload=alert(1)>"]) {
        const { logo_url } = await get(await createServer(api.service, name));
        const { origin, pathname } = new URL(logo_url);
        assert.equal(origin, "http://127.0.0.1:8080");
        const logo = await api.service.http(pathname);
        assert.deepEqual([logo.status, logo.headers["content-type"]], [200, "image/svg+xml"], name);
      }
    });
  });

  describe("POST /api/mcp-servers/{slug}/sync", () => {
    it("returns the number of tools", async () => {
      const slug = await createServer(api.service, "Synced", upstream.url);
      const data = { slug, tools_count: 2, sync_error: null };
      await api.expect(200, { data }, "POST", `/api/mcp-servers/${slug}/sync`);
      upstream.tools = upstream.tools.slice(0, 1);
      await api.expect(200, { data: { ...data, tools_count: 1 } }, "POST", `/api/mcp-servers/${slug}/sync`);
    });

    it("returns and stores why the sync failed", async () => {
      const dying = await startRawUpstream();
      const slug = await createSyncedServer(api.service, "Dying", dying.url);
      await dying.close();
      const { data } = (await api.call("POST", `/api/mcp-servers/${slug}/sync`)).body;
      assert.match(data.sync_error, /^Server "dying" /);
      assert.equal(data.tools_count, 2);
      assert.equal((await get(slug)).sync_error, data.sync_error);
    });
  });
});

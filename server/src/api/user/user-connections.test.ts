import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { createGroup, createMachineUser, createPerson, createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const KEYED = { auth_settings: { authType: "proxy-api-key", headerName: "X-Api-Key", headerPrefix: "" } };

forEachApi("the User API", (api) => {
  let upstream: RawUpstream;
  let dead: string;
  before(async () => {
    upstream = await startRawUpstream({
      behave: ({ headers }) => (headers["x-api-key"] === "refused-canary" ? { status: 401 } : "json"),
    });
    const gone = await startRawUpstream();
    dead = gone.url;
    await gone.close();
    await createPerson(api.service, "Ada", "ada@example.com");
    await createPerson(api.service, "Eve", "eve@example.com");
    const slugs = [
      await createSyncedServer(api.service, "Open", upstream.url),
      await createServer(api.service, "Keyed", upstream.url, KEYED),
      await createServer(api.service, "Dead", dead, KEYED),
      await createServer(api.service, "Signed", upstream.url, { auth_settings: { authType: "proxy-oauth" } }),
    ];
    await createServer(api.service, "Elsewhere", upstream.url, KEYED);
    await createServer(api.service, "Draft", upstream.url, { ...KEYED, status: "draft" });
    await createGroup(api.service, "Staff", { slugs: [...slugs, "draft"], emails: ["ada@example.com"] });
  });
  after(() => upstream.close());
  beforeEach(async () => {
    const url = (slug: string) => `/api/mcp-servers/${slug}/connections`;
    for (const slug of ["keyed", "dead"]) {
      for (const { user_email } of (await api.call("GET", url(slug))).body.data) {
        assert.equal((await api.call("DELETE", `${url(slug)}?email=${user_email}`)).status, 200);
      }
    }
  });

  const at = (path: string, mcp: string, email = "ada@example.com") => `/api/user/${path}?email=${email}&mcp=${mcp}`;
  const setKey = (mcp: string, key: string, email?: string) => api.call("PUT", at("api-key", mcp, email), { key });
  const check = async (mcp: string, email?: string) => (await api.call("GET", at("connection", mcp, email))).body.data;
  const connected = { connected: true, status: "connected" };

  describe("PUT /api/user/api-key", () => {
    it("tests the key in the server's header, stores it, and syncs the tools with it", async () => {
      upstream.seen.length = 0;
      const answer = await setKey("keyed", "good-canary");
      assert.deepEqual([answer.status, answer.body], [200, { data: { ...connected, verified: true } }]);
      assert.deepEqual(new Set(upstream.seen.map(({ headers }) => headers["x-api-key"])), new Set(["good-canary"]));
      assert.deepEqual(await check("keyed"), connected);
      for (;;) {
        const { data } = (await api.call("GET", "/api/mcp-servers/keyed")).body;
        if (data.tools_count > 0) break;
      }
    });

    it("rejects a key that the server rejects, and keeps the previous one", async () => {
      const message = "key: Keyed rejected this API key (401). Check that the key is active, then save it again.";
      await api.invalid(message, "PUT", at("api-key", "keyed"), { key: "refused-canary" });
      assert.deepEqual(await check("keyed"), { connected: false, status: "not_connected" });
      await setKey("keyed", "good-canary");
      await api.invalid(message, "PUT", at("api-key", "keyed"), { key: "refused-canary" });
      assert.deepEqual(await check("keyed"), connected);
    });

    it("stores a key that cannot be tested, and reports it", async () => {
      const { body } = await setKey("dead", "untried");
      const message =
        "The key was saved but could not be verified: the server could not be reached: connection refused";
      assert.deepEqual(body.data, { ...connected, verified: false, message });
      assert.deepEqual(await check("dead"), connected);
    });

    it("rejects invalid header values, and servers without API keys", async () => {
      const visible = "key: must be visible ASCII characters, without leading or trailing spaces";
      for (const key of ["a\r\nb", "a\nb", " a", "a ", "ä"]) {
        await api.invalid(visible, "PUT", at("api-key", "keyed"), { key });
      }
      await api.invalid("key: key is required", "PUT", at("api-key", "keyed"), {});
      await api.invalid("key: key is required", "PUT", at("api-key", "keyed"), { key: " " });
      await api.invalid("key: must be a string", "PUT", at("api-key", "keyed"), { key: 1 });
      for (const mcp of ["open", "signed"]) {
        await api.invalid("mcp: the server does not use API keys", "PUT", at("api-key", mcp), { key: "x" });
      }
    });

    it("never returns the key: not in responses, audit entries, or lists (SEC-4)", async () => {
      const rows = await api.auditOf(() => setKey("keyed", "good-canary"));
      assert.deepEqual(
        rows.map((row) => [row.operation, row.target_name]),
        [["setUserApiKey", "ada@example.com keyed"]],
      );
      const answers = await Promise.all(
        ["/api/user/mcp-servers?email=ada@example.com", "/api/mcp-servers/keyed/connections", "/api/audit"].map(
          (path) => api.call("GET", path),
        ),
      );
      assert.equal(JSON.stringify([rows, answers, await api.everything()]).includes("canary"), false);
    });

    it("accepts a machine user", async () => {
      const bot = await createMachineUser(api.service, "Bot");
      await api.call("POST", "/api/groups/staff/users", { emails: [bot.email] });
      assert.equal((await setKey("keyed", "bots-canary", bot.email)).status, 200);
      const upper = await check("keyed", bot.email.toUpperCase());
      assert.deepEqual(upper, connected);
    });
  });

  describe("GET /api/user/mcp-servers", () => {
    const list = async (email = "ada@example.com", more = "") =>
      (await api.call("GET", `/api/user/mcp-servers?email=${email}${more}`)).body;

    it("lists the user's servers with connection status", async () => {
      await setKey("keyed", "good-canary");
      const { data, pagination } = await list();
      const statuses = data.map((entry: { slug: string; connection: { status: string } }) => [
        entry.slug,
        entry.connection.status,
      ]);
      assert.deepEqual(statuses, [
        ["dead", "not_connected"],
        ["keyed", "connected"],
        ["open", "not_required"],
        ["signed", "not_connected"],
      ]);
      assert.deepEqual(pagination, { cursor: 0, limit: 100, hasMore: false, nextCursor: null });
      assert.match(data[1].connection.connected_at, /^\d{4}-/);
      const none = { connected_at: null, expires_at: null, last_error: null };
      assert.deepEqual(data[0].connection, { status: "not_connected", ...none });
      assert.equal(data[2].tools_count, 2);
      assert.deepEqual((await list("eve@example.com")).data, []);
    });

    it("paginates", async () => {
      const { data, pagination } = await list(undefined, "&limit=1&cursor=1");
      assert.deepEqual([data.length, data[0].slug], [1, "keyed"]);
      assert.deepEqual(pagination, { cursor: 1, limit: 1, hasMore: true, nextCursor: 2 });
    });
  });

  describe("DELETE /api/user/connection", () => {
    it("deletes the key, and returns 404 the second time", async () => {
      await setKey("keyed", "good-canary");
      const done = { message: "Connection deleted successfully" };
      await api.expect(200, done, "DELETE", at("connection", "keyed"));
      assert.deepEqual(await check("keyed"), { connected: false, status: "not_connected" });
      await api.expect(404, { error: "Connection not found" }, "DELETE", at("connection", "keyed"));
      assert.deepEqual(await api.db.selectFrom("connections").selectAll().execute(), []);
    });
  });

  it("lets admins list and delete connections, without credentials", async () => {
    await setKey("keyed", "good-canary");
    const { data, pagination } = (await api.call("GET", "/api/mcp-servers/keyed/connections")).body;
    const { connected_at, ...entry } = data[0];
    assert.deepEqual(entry, {
      user_email: "ada@example.com",
      kind: "api_key",
      status: "connected",
      last_error: null,
      scopes: null,
      needed_scopes: null,
      expires_at: null,
    });
    assert.match(connected_at, /^\d{4}-/);
    assert.deepEqual(pagination, { skip: 0, limit: 100, hasMore: false });
    const path = "/api/mcp-servers/keyed/connections?email=ADA@example.com";
    await api.expect(200, { message: "Connection deleted successfully" }, "DELETE", path);
    await api.expect(404, { error: "Connection not found" }, "DELETE", path);
    await api.expect(404, { error: "MCP server not found" }, "GET", "/api/mcp-servers/nowhere/connections");
  });

  it("404 for an unknown user, an unknown server, and a server without access", async () => {
    for (const [method, path, body] of [
      ["GET", "connection", undefined],
      ["PUT", "api-key", { key: "x" }],
      ["DELETE", "connection", undefined],
    ] as const) {
      const nobody = { error: "User not found: nobody@example.com" };
      await api.expect(404, nobody, method, at(path, "keyed", "nobody@example.com"), body);
      for (const mcp of ["nowhere", "elsewhere", "draft"]) {
        await api.expect(404, { error: "MCP server not found" }, method, at(path, mcp), body);
      }
      await api.expect(404, { error: "MCP server not found" }, method, at(path, "keyed", "eve@example.com"), body);
      await api.invalid("mcp query parameter is required", method, `/api/user/${path}?email=ada@example.com`, body);
      await api.invalid("email query parameter is required", method, `/api/user/${path}?mcp=keyed`, body);
    }
    const nobody = "/api/user/mcp-servers?email=nobody@example.com";
    await api.expect(404, { error: "User not found: nobody@example.com" }, "GET", nobody);
  });

  it("requires connect:read to read and connect:write to write, not the admin scopes", async () => {
    const status = async (scope: string, method: string, path: string, body?: object) => {
      const { token } = await api.tokenWith(scope);
      return (await api.call(method, path, body, bearer(token))).status;
    };
    assert.equal(await status("connect:read", "GET", at("connection", "keyed")), 200);
    assert.equal(await status("connect:read", "PUT", at("api-key", "keyed"), { key: "x" }), 403);
    assert.equal(await status("connect:write", "PUT", at("api-key", "keyed"), { key: "x" }), 200);
    assert.equal(await status("admin:write", "PUT", at("api-key", "keyed"), { key: "x" }), 403);
    assert.equal(await status("connect:write", "GET", "/api/mcp-servers/keyed/connections"), 403);
  });
});

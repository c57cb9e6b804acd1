import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

forEachApi("POST /api/mcp-servers/{slug}/test", (api) => {
  let upstream: RawUpstream;
  before(async () => {
    upstream = await startRawUpstream({
      behave: ({ headers }) =>
        headers["x-api-key"] === "good" || headers.authorization === "Bearer good" ? "json" : { status: 401 },
    });
    await createServer(api.service, "Open", upstream.url);
    await createServer(api.service, "Shared", upstream.url, {
      auth_settings: { sharedHeaders: { "X-Api-Key": "good" } },
    });
    await createServer(api.service, "Keyed", upstream.url, { auth_settings: { authType: "proxy-api-key" } });
  });
  after(() => upstream?.close());
  const test = async (slug: string, body?: object) => {
    const answer = await api.call("POST", `/api/mcp-servers/${slug}/test`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  describe("200", () => {
    it("tests the saved shared credential", async () => {
      assert.deepEqual(await test("shared"), { ok: true, tools_count: 2 });
    });

    it("tests unsaved headers, merged with the saved ones, and stores nothing", async () => {
      const rejected =
        "Shared rejected the shared credential (401). Check the header names and values, then test again.";
      assert.deepEqual(await test("shared", { sharedHeaders: { "X-Api-Key": "bad" } }), {
        ok: false,
        cause: "rejected",
        message: rejected,
      });
      assert.deepEqual(await test("shared", { sharedHeaders: { "X-Other": "1" } }), { ok: true, tools_count: 2 });
      assert.equal((await test("shared", { sharedHeaders: null })).ok, false);
      assert.deepEqual(await test("open", { sharedHeaders: { "X-Api-Key": "good" } }), { ok: true, tools_count: 2 });
      assert.deepEqual(
        (await test("open")).message,
        "Open requires authentication (401). Choose how Gatehouse authenticates.",
      );
      assert.deepEqual(await test("shared"), { ok: true, tools_count: 2 });
    });

    it("tests an API key with saved or unsaved header settings", async () => {
      assert.deepEqual(await test("keyed", { key: "good" }), { ok: true, tools_count: 2 });
      const settings = { headerName: "X-Api-Key", headerPrefix: "" };
      assert.deepEqual(await test("keyed", { key: "good", ...settings }), { ok: true, tools_count: 2 });
      const { message } = await test("keyed", { key: "bad" });
      assert.equal(message, "Keyed rejected this API key (401). Check that the key is active, then save it again.");
    });

    it("reports a server that is unreachable or not allowed", async () => {
      const gone = await startRawUpstream();
      await gone.close();
      const slug = await createServer(api.service, "Gone", gone.url);
      assert.equal((await test(slug)).cause, "unreachable");
      const internal = await createServer(api.service, "Internal", "http://10.0.0.1/mcp");
      const { cause, message } = await test(internal);
      assert.equal(cause, "not_allowed");
      assert.match(message, /^Internal .*EGRESS_ALLOW/);
    });

    it("is in the audit log with header names, never with values", async () => {
      const rows = await api.auditOf(() => test("shared", { sharedHeaders: { "X-Extra": "secret-value" } }));
      assert.deepEqual(
        rows.map(({ operation, target_name, after }) => [operation, target_name, after]),
        [["testMcpServer", "shared", { ok: true, headers: ["X-Api-Key", "X-Extra"] }]],
      );
    });
  });

  it("400 without a key for a server with API keys, for invalid values, and without an upstream", async () => {
    const path = "/api/mcp-servers/keyed/test";
    await api.invalid("key: required, because users of this server authenticate themselves", "POST", path);
    await api.invalid("sharedHeaders.X-A: must be one line of Latin-1 text", "POST", path, {
      sharedHeaders: { "X-A": "a\nb" },
    });
    await createServer(api.service, "Empty");
    await api.expect(400, { error: "MCP server has no upstream yet" }, "POST", "/api/mcp-servers/empty/test");
  });

  it("404 for an unknown server, 403 without admin:write", async () => {
    await api.expect(404, { error: "MCP server not found" }, "POST", "/api/mcp-servers/unknown/test");
    const { token } = await api.tokenWith("admin:read");
    const answer = await api.call("POST", "/api/mcp-servers/shared/test", {}, { authorization: `Bearer ${token}` });
    assert.equal(answer.status, 403);
  });
});

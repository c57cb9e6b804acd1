import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SLUG_MESSAGE } from "../kit/contract.ts";
import { forEachTarget } from "../kit/suite.ts";

const PATH = "/api/mcp-servers";

forEachTarget("PATCH /api/mcp-servers", (api) => {
  /** Fields that only an explicit change may change, unlike timestamps and the results of a sync. */
  const settingsOf = async (slug: string) => {
    const { name, description, status, connection, auth_type, auth_settings } = await get(slug);
    return { slug, name, description, status, connection, auth_type, auth_settings };
  };
  const get = async (slug: string) => (await api.body(200, "GET", `${PATH}/${slug}`)).data;
  const patch = (slug: string, body: object) => api.body(200, "PATCH", `${PATH}?slug=${slug}`, body);

  describe("200", () => {
    it("changes only the given field, and returns only the slug [S4.1-update S2.2-update-partial S3-update-status S2.2-answer]", async () => {
      const slug = await api.server({
        description: "Before",
        status: "draft",
        mcp_proxy: JSON.stringify({ type: "http", url: "http://127.0.0.1:9/a" }),
        auth_settings: { authType: "proxy-oauth", clientId: "client", client: { scope: "read" } },
      });
      for (const [body, after] of [
        [{ status: "active" }, { status: "active" }],
        [{ name: "Changed" }, { name: "Changed" }],
        [{ description: "After" }, { description: "After" }],
        [
          { mcp_proxy: JSON.stringify({ type: "sse", url: "http://127.0.0.1:9/b" }) },
          { connection: { url: "http://127.0.0.1:9/b", transport: "sse" } },
        ],
        [{ status: "draft" }, { status: "draft" }],
        [{}, {}],
      ] as const) {
        const before = await settingsOf(slug);
        assert.deepEqual(await patch(slug, body), { data: { slug } });
        assert.deepEqual(await settingsOf(slug), { ...before, ...after }, JSON.stringify(body));
      }
    });

    it("changes the upstream by an object, and null clears it", async () => {
      const slug = await api.server({ upstream: { type: "http", url: "http://127.0.0.1:9/a" } });
      await patch(slug, { upstream: { type: "sse", url: "http://127.0.0.1:9/b" } });
      assert.deepEqual((await get(slug)).connection, { url: "http://127.0.0.1:9/b", transport: "sse" });
      await patch(slug, { upstream: null });
      assert.equal((await get(slug)).connection, null);
    });

    it("merges auth_settings by key [S2.2-update-partial S2.2-auth-settings]", async () => {
      const slug = await api.server({ auth_settings: { authType: "proxy-oauth", clientId: "a", howtoMarkdown: "b" } });
      await patch(slug, { auth_settings: { clientId: "c" } });
      const { auth_settings: auth, auth_type: type } = await get(slug);
      assert.deepEqual([type, auth.clientId, auth.howtoMarkdown], ["proxy-oauth", "c", "b"]);
    });

    it("renames a server, and appends a number to an existing slug [S2.2-slug-suffix]", async () => {
      const [taken, slug] = [await api.server(), await api.server()];
      assert.deepEqual(await patch(slug, { slug: taken }), { data: { slug: `${taken}-2` } });
      await api.expect(404, { error: "MCP server not found" }, "GET", `${PATH}/${slug}`);
      assert.equal((await get(`${taken}-2`)).slug, `${taken}-2`);
    });
  });

  describe("400", () => {
    it("without the slug parameter [S4.1-update-slug-required S7-missing-parameter]", async () => {
      for (const path of [PATH, `${PATH}?slug=`]) {
        await api.invalid("slug query parameter is required", "PATCH", path, { name: "x" });
      }
    });

    it("rejects fields that creation rejects, and changes nothing [S4.1-update]", async () => {
      const slug = await api.server();
      const before = await settingsOf(slug);
      const path = `${PATH}?slug=${slug}`;
      await api.invalid("name: name is required", "PATCH", path, { name: " ", status: "active" });
      await api.invalid("name: must be a string", "PATCH", path, { name: null });
      await api.invalid(SLUG_MESSAGE, "PATCH", path, { name: "Changed", slug: "-" });
      await api.invalid("mcp_proxy: mcp_proxy must be valid JSON", "PATCH", path, { mcp_proxy: "{" });
      await api.invalid("status: must be one of active, draft", "PATCH", path, { status: "gone" });
      assert.deepEqual(await settingsOf(slug), before);
    });
  });

  it("404 for an unknown server [S4.1-update-not-found S7-not-found]", async () => {
    await api.expect(404, { error: "MCP server not found" }, "PATCH", `${PATH}?slug=${api.unique("none")}`, {});
  });
});

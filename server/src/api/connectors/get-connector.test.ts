import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createServer, createSyncedServer } from "#test/factories";
import { registryRow, storeRegistry, TEST_CONNECTORS } from "#test/registry";
import { startRawUpstream } from "#test/upstreams/raw";

forEachApi(
  "GET /api/connectors/{connector_id}",
  (api) => {
    const get = async (id: string) => {
      const answer = await api.call("GET", `/api/connectors/${encodeURIComponent(id)}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };
    before(async () => {
      await storeRegistry(api.db, [
        registryRow({ name: "com.example.mcp/notes" }),
        registryRow({ name: "io.github.ada/todo" }),
      ]);
      await createServer(api.service, "From issues", undefined, { connector_id: "issues" });
    });

    it("returns a built-in connector with its URL, tools, and usage", async () => {
      const { source, url, setup, usage, tools, tools_count: count } = await get("issues");
      assert.deepEqual([source, usage], ["connector", { count: 1, slug: "from-issues" }]);
      assert.deepEqual([typeof url, setup, tools.length], ["string", null, count]);
      assert.equal((await get("wiki")).url, null);
    });

    it("returns the tools that a server lists instead of the documented ones", async () => {
      assert.equal((await get("issues")).tools_source.type, "documentation");
      const upstream = await startRawUpstream();
      try {
        const slug = await createSyncedServer(api.service, "Synced issues", upstream.url, {
          connector_id: "issues",
          auth_settings: { authType: "none" },
        });
        const { tools, tools_count: count, tools_source: source } = await get("issues");
        assert.deepEqual(
          tools.map(({ name }: { name: string }) => name),
          ["echo", "headers"],
        );
        assert.deepEqual([count, source.type, source.partial], [2, "sync", false]);
        const listed = (await api.call("GET", "/api/connectors?search=issues&include_tools=true")).body.data[0];
        assert.deepEqual([listed.tools_count, listed.tools], [2, tools]);
        await api.call("DELETE", `/api/mcp-servers/${slug}`);
      } finally {
        await upstream.close();
      }
    });

    it("returns a registry entry with its publisher", async () => {
      const { source, publisher, url, official } = await get("com.example.mcp/notes");
      assert.deepEqual([source, publisher, official], ["registry", "mcp.example.com", true]);
      assert.match(url, /^https:/);
      assert.equal((await get("io.github.ada/todo")).publisher, "github.com/ada");
    });

    it("returns 404 for an unknown ID", async () => {
      for (const id of ["nothing", "a/b", "toString"]) {
        await api.expect(404, { error: "Connector not found" }, "GET", `/api/connectors/${encodeURIComponent(id)}`);
      }
    });
  },
  { connectorsFolder: TEST_CONNECTORS },
);

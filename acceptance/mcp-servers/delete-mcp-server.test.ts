import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream } from "../kit/upstream.ts";

const PATH = "/api/mcp-servers";
const GONE = { error: "MCP server not found" };

forEachTarget("DELETE /api/mcp-servers", (api) => {
  it("removes the server from lists, groups, and the gateway permanently [S4.1-delete S4.1-delete-permanent]", async () => {
    const upstream = await startUpstream();
    try {
      const slug = await api.serverOf(upstream.url);
      const bot = await api.machineUser();
      const group = await api.group({ slugs: [slug], emails: [bot.email] });
      assert.equal((await api.toolNames(bot.credential)).length, 2);

      await api.expect(200, { message: "MCP server deleted successfully" }, "DELETE", `${PATH}?slug=${slug}`);

      assert.deepEqual(await api.toolNames(bot.credential), []);
      assert.deepEqual((await api.body(200, "GET", `${PATH}?search=${slug}`)).data, []);
      const { data } = await api.body(200, "GET", `/api/groups?search=${group}`);
      assert.equal(data[0].integrations_count, 0);
      await api.expect(404, GONE, "DELETE", `${PATH}?slug=${slug}`);

      // One of the same name is another one: nothing of the old comes back.
      assert.equal(await api.serverOf(upstream.url, { name: slug }), slug);
      assert.deepEqual(await api.toolNames(bot.credential), []);
    } finally {
      await upstream.close();
    }
  });

  it("400 without the slug parameter [S4.1-delete-slug-required S7-missing-parameter]", async () => {
    for (const path of [PATH, `${PATH}?slug=`, `${PATH}?slug=%20`]) {
      await api.invalid("slug query parameter is required", "DELETE", path);
    }
  });

  it("404 for an unknown server [S4.1-delete-not-found S7-not-found]", async () => {
    await api.expect(404, GONE, "DELETE", `${PATH}?slug=${api.unique("none")}`);
  });
});

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, TOOLS, type Upstream } from "../kit/upstream.ts";

const PATH = "/api/mcp-servers";

forEachTarget("POST /api/mcp-servers/{slug}/tools/reject", (api) => {
  let upstream: Upstream;
  let tools: readonly object[] = TOOLS;
  before(async () => {
    upstream = await startUpstream(() => tools);
  });
  after(() => upstream.close());

  it("keeps the accepted definition until the server changes the tool again", async () => {
    const slug = await api.serverOf(upstream.url);
    await api.body(200, "PATCH", `${PATH}?slug=${slug}`, { tool_policy: "hold" });
    const changes = async () => (await api.body(200, "GET", `${PATH}/${slug}/tools/changes`)).data;
    const change = async (description: string) => {
      tools = [{ ...TOOLS[0], description }, ...TOOLS.slice(1)];
      // A sync may share one that started before the change.
      do await api.body(200, "POST", `${PATH}/${slug}/sync`);
      while ((await changes()).length !== 1);
    };
    const definition = async () => (await api.body(200, "GET", `${PATH}/${slug}/tools/definition?tool=echo`)).data;
    await change("Says it again, and mails it.");
    const [{ tool, digest }] = await changes();
    const { data } = await api.body(200, "POST", `${PATH}/${slug}/tools/reject`, { tools: [{ tool, digest }] });
    assert.deepEqual(data, { rejected: ["echo"] });
    await api.body(200, "POST", `${PATH}/${slug}/sync`);
    const { description, held, rejected } = await definition();
    assert.deepEqual([description, held, rejected, await changes()], ["Says it again.", false, true, []]);
    await change("Says it twice.");
    assert.deepEqual([(await definition()).held, (await changes())[0].tool], [true, "echo"]);
  });
});

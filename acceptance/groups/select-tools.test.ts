import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { MachineUser } from "../kit/api.ts";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

forEachTarget("PATCH /api/groups/{name}/integrations", (api) => {
  let upstream: Upstream;
  let bot: MachineUser;
  let slug: string;
  let path: string;
  before(async () => {
    upstream = await startUpstream();
    slug = await api.serverOf(upstream.url);
    bot = await api.machineUser();
    const group = await api.group({ slugs: [slug], emails: [bot.email] });
    path = `/api/groups/${encodeURIComponent(group)}/integrations?slug=${slug}`;
  });
  after(() => upstream.close());

  const listed = async () => {
    const { body } = await api.mcp(bot.credential, "tools/list");
    return body.result.tools.map(({ name }: { name: string }) => name.replace(`${slug}__`, "")).sort();
  };
  const call = (tool: string) => api.mcp(bot.credential, "tools/call", { name: `${slug}__${tool}`, arguments: {} });
  const arrived = () => upstream.calls.filter(({ method }) => method === "tools/call").length;

  it("grants only the selected tools, immediately for lists and calls", async () => {
    const { data } = await api.body(200, "PATCH", path, { tools: ["echo"] });
    assert.deepEqual([data.tools, data.new_tools, data.granted_tools, data.total_tools], [["echo"], "hold", 1, 2]);
    assert.deepEqual(await listed(), ["echo"]);
    const before = arrived();
    const { body } = await call("add_numbers");
    assert.equal(body.error.code, -32602);
    assert.equal(arrived(), before);
    assert.equal((await call("echo")).body.error, undefined);
    await api.body(200, "PATCH", path, { tools: null });
    assert.deepEqual(await listed(), ["add_numbers", "echo"]);
  });

  it("rejects unknown tools by name, and changes nothing", async () => {
    const answer = await api.call("PATCH", path, { tools: ["echo", "nothing"] });
    assert.deepEqual([answer.status, answer.body], [400, { error: "Tools not found: nothing" }]);
    assert.deepEqual(await listed(), ["add_numbers", "echo"]);
  });

  it("rejects an empty list and a server that is not in the group", async () => {
    await api.invalid("tools: must hold at least one tool, or be null", "PATCH", path, { tools: [] });
    const other = path.replace(slug, await api.server());
    await api.expect(404, { error: "Integration not found" }, "PATCH", other, { tools: null });
  });

  it("lists the servers of the group with their selections", async () => {
    await api.body(200, "PATCH", path, { tools: ["echo"] });
    const { data, pagination } = await api.body(200, "GET", path.split("?")[0] ?? "");
    const [{ slug: listed, status, tools }] = data;
    assert.deepEqual([data.length, listed, status, tools], [1, slug, "active", ["echo"]]);
    assert.equal(pagination.hasMore, false);
    await api.body(200, "PATCH", path, { tools: null });
  });

  it("explains a tool that no group grants", async () => {
    await api.body(200, "PATCH", path, { tools: ["add_numbers"] });
    const query = `email=${encodeURIComponent(bot.email)}&tool=${slug}__echo`;
    const { data } = await api.body(200, "GET", `/api/access/explain?${query}`);
    assert.deepEqual([data.verdict, data.reason], ["refused", "not_selected"]);
    await api.body(200, "PATCH", path, { tools: null });
  });
});

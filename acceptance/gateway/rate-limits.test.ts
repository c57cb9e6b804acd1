import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { MachineUser } from "../kit/api.ts";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

forEachTarget("rate limits of groups and tools", (api) => {
  let upstream: Upstream;
  let bot: MachineUser;
  let other: MachineUser;
  let slug: string;
  let group: string;

  before(async () => {
    upstream = await startUpstream();
    slug = await api.serverOf(upstream.url);
    bot = await api.machineUser();
    other = await api.machineUser();
    group = await api.group({ slugs: [slug], emails: [bot.email, other.email] });
  });
  after(() => upstream.close());

  const call = (user: MachineUser) => api.mcp(user.credential, "tools/call", { name: `${slug}__echo`, arguments: {} });
  const limitGroup = (limits: object | null) =>
    api.body(200, "PATCH", `/api/groups?name=${encodeURIComponent(group)}`, { limits });
  const limitTool = (limits: object) =>
    api.body(200, "PATCH", `/api/mcp-servers/tools?slug=${slug}`, { limits: [{ tool: "echo", ...limits }] });

  it("rejects a member's call over the limit of the group with 429, and names the limit", async () => {
    const { data } = await limitGroup({ calls_per_minute: 1 });
    assert.deepEqual(data.limits, { calls_per_minute: 1, concurrent_calls: null });
    assert.equal((await call(bot)).status, 200);
    const refused = await call(bot);
    assert.equal(refused.status, 429);
    assert.match(refused.body.error.message, /^Group .+ allows 1 call per minute per member; try again in \d+ s$/);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
    assert.equal((await call(other)).status, 200);
    const query = `email=${encodeURIComponent(bot.email)}&tool=${slug}__echo`;
    const { limits } = (await api.body(200, "GET", `/api/access/explain?${query}`)).data;
    assert.deepEqual(
      limits.filter(({ scope }: { scope: string }) => scope === "group").map(({ name }: { name: string }) => name),
      [group],
    );
    await limitGroup(null);
    assert.equal((await call(bot)).status, 200);
  });

  it("rejects all users' calls over the limit of the tool", async () => {
    const { data } = await limitTool({ calls_per_minute: 1 });
    const tool = data.tools.find((each: { slug: string }) => each.slug === "echo");
    assert.deepEqual(tool.limits, { calls_per_minute: 1, concurrent_calls: null });
    assert.equal((await call(bot)).status, 200);
    const refused = await call(other);
    assert.equal(refused.status, 429);
    assert.match(refused.body.error.message, /^Tool echo of .+ allows 1 call per minute from all users together/);
    await limitTool({ calls_per_minute: null });
    assert.equal((await call(other)).status, 200);
  });
});

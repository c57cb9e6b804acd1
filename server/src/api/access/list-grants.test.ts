import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

forEachApi("GET /api/access/grants", (api) => {
  let upstream: RawUpstream;
  before(async () => {
    upstream = await startRawUpstream();
    await createSyncedServer(api.service, "Beta", upstream.url);
    await createServer(api.service, "Alpha", "http://127.0.0.1:1/mcp");
    await createGroup(api.service, "staff", { slugs: ["beta", "alpha"] });
    await createGroup(api.service, "Admins", { slugs: ["beta"] });
  });
  after(() => upstream.close());

  const list = async (query: string) => {
    const { status, body, text } = await api.call("GET", `/api/access/grants?${query}`);
    assert.equal(status, 200, text);
    return body;
  };
  const pairs = ({ data }: { data: { group: string; server: string }[] }) => data.map((one) => [one.group, one.server]);

  it("lists each server in each group, ordered by group and server", async () => {
    const all = await list("");
    assert.deepEqual(pairs(all), [
      ["Admins", "beta"],
      ["staff", "alpha"],
      ["staff", "beta"],
    ]);
    assert.deepEqual(all.data[0], {
      group: "Admins",
      server: "beta",
      server_name: "Beta",
      tools: null,
      new_tools: "include",
      granted_tools: 2,
      total_tools: 2,
      held_tools: [],
      missing_tools: [],
    });
  });

  it("filters by group and server, and paginates", async () => {
    assert.deepEqual(pairs(await list("group=STAFF")), [
      ["staff", "alpha"],
      ["staff", "beta"],
    ]);
    assert.deepEqual(pairs(await list("group=staff&server=beta")), [["staff", "beta"]]);
    const first = await list("server=beta&limit=1");
    assert.deepEqual(first.pagination, { cursor: 0, limit: 1, hasMore: true, nextCursor: 1 });
    assert.deepEqual(pairs(await list("server=beta&limit=1&cursor=1")), [["staff", "beta"]]);
  });

  it("counts only tools that can be called", async () => {
    await api.call("PATCH", "/api/mcp-servers/tools?slug=beta", { disable: ["echo"] });
    await api.call("PATCH", "/api/groups/staff/integrations?slug=beta", { tools: ["echo"] });
    const [grant] = (await list("group=staff&server=beta")).data;
    assert.deepEqual([grant.tools, grant.granted_tools, grant.total_tools], [["echo"], 0, 1]);
  });

  it("rejects unknown groups and servers", async () => {
    await api.expect(404, { error: "Group not found" }, "GET", "/api/access/grants?group=x");
    await api.expect(404, { error: "MCP server not found" }, "GET", "/api/access/grants?server=x");
  });
});

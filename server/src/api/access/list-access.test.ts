import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createPerson, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const LONG = "a name that no client would take";

forEachApi("GET /api/access", (api) => {
  let upstream: RawUpstream;
  let bot = "";
  before(async () => {
    const tools = ["one", "two", LONG].map((name) => ({ name, inputSchema: { type: "object" } }));
    upstream = await startRawUpstream({ tools, prompts: [{ name: "ask" }] });
    await createPerson(api.service, "Ada", "Ada@example.com");
    ({ email: bot } = await createMachineUser(api.service, "Bot"));
    const beta = await createSyncedServer(api.service, "Beta", upstream.url);
    const alpha = await createSyncedServer(api.service, "Alpha", upstream.url, { status: "draft" });
    await createGroup(api.service, "Staff", { slugs: [beta, alpha], emails: ["ada@example.com", bot] });
    await createGroup(api.service, "Others", { slugs: [beta], emails: ["ada@example.com"] });
    await createGroup(api.service, "Testers", {
      slugs: [alpha],
      emails: ["ada@example.com"],
      settings: { show_draft_mcps: true },
    });
  });
  after(() => upstream.close());

  it("lists the tools in gateway order with the groups that give access", async () => {
    const { status, body } = await api.call("GET", "/api/access?email=ADA@example.com");
    assert.equal(status, 200);
    const [first, , third, fourth] = body.data;
    assert.deepEqual(first, {
      tool: "alpha__one",
      server: "alpha",
      upstream_name: "one",
      draft: true,
      groups: ["Testers"],
      why: "Draft server, visible through group Testers",
    });
    assert.deepEqual(
      [third.upstream_name, third.tool.length <= 64, third.tool === `alpha__${LONG}`],
      [LONG, true, false],
    );
    assert.deepEqual([fourth.tool, fourth.why], ["beta__one", "Access through groups Others and Staff"]);
    assert.equal(body.data.length, 6);
    assert.deepEqual(body.summary, {
      email: "Ada@example.com",
      disabled: false,
      servers: 2,
      tools: 6,
      prompts: 2,
      resources: 0,
      resource_templates: 0,
      tokens_estimate: body.summary.tokens_estimate,
      largest: body.summary.largest,
    });
  });

  it("estimates the tokens of the tools by the bytes that tools/list sends, with the largest servers", async () => {
    const { credential, email } = await createMachineUser(api.service, "Counter");
    await createGroup(api.service, "Counted", { slugs: ["beta"], emails: [email] });
    const { result } = (await api.service.mcp(credential, { jsonrpc: "2.0", id: 1, method: "tools/list" })).body;
    const tokens = Math.ceil((JSON.stringify(result.tools).length - "[]".length) / 4);
    const { summary } = (await api.call("GET", `/api/access?email=${email}`)).body;
    assert.deepEqual([summary.tokens_estimate, summary.largest], [tokens, [{ name: "beta", tokens_estimate: tokens }]]);
    const group = (await api.call("GET", "/api/groups/Counted")).body.data;
    assert.ok(Math.abs(group.tokens_estimate - tokens) <= 1);
    assert.equal(group.largest[0].name, "beta");
    await api.call("PATCH", "/api/groups/Counted/integrations?slug=beta", { tools: ["one"] });
    const selected = (await api.call("GET", "/api/groups/Counted")).body.data;
    const after = (await api.call("GET", `/api/access?email=${email}`)).body.summary;
    assert.ok(selected.tokens_estimate < tokens / 2);
    assert.equal(after.tokens_estimate, selected.tokens_estimate);
    const server = (await api.call("GET", "/api/mcp-servers/beta")).body.data;
    assert.equal(server.largest.length, 3);
    assert.ok(Math.abs(server.tokens_estimate - tokens) <= 1);
  });

  it("paginates from any cursor", async () => {
    const all = (await api.call("GET", "/api/access?email=ada@example.com")).body.data;
    const found = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const path: string = `/api/access?email=ada@example.com&limit=2&cursor=${cursor}`;
      const { data, pagination, totalCount } = (await api.call("GET", path)).body;
      assert.equal(totalCount, 6);
      found.push(...data);
      cursor = pagination.nextCursor;
    }
    assert.deepEqual(found, all);
    const middle = await api.call("GET", "/api/access?email=ada@example.com&limit=2&cursor=3");
    assert.deepEqual(middle.body.data, all.slice(3, 5));
  });

  it("lists the tools of a machine user, and none of a disabled one", async () => {
    const path = `/api/access?email=${bot}`;
    assert.equal((await api.call("GET", path)).body.totalCount, 3);
    await api.call("PATCH", `/api/users?email=${bot}`, { disabled: true });
    const { data, summary } = (await api.call("GET", path)).body;
    assert.deepEqual([data, summary.disabled, summary.servers], [[], true, 0]);
  });

  it("404 for an unknown email, 400 without an email", async () => {
    await api.expect(404, { error: "User not found: x@example.com" }, "GET", "/api/access?email=x@example.com");
    await api.invalid("email query parameter is required", "GET", "/api/access");
  });
});

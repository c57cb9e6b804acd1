import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { createGroup, createMachineUser, createPerson, createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

interface Row {
  readonly email: string;
  readonly verdict: string;
  readonly reason: string;
  readonly groups: readonly string[];
  readonly connection: string;
}

forEachApi("GET /api/access/callers", (api) => {
  let upstream: RawUpstream;
  let bot = "";
  before(async () => {
    const tools = ["on", "off"].map((name) => ({ name, inputSchema: { type: "object" } }));
    upstream = await startRawUpstream({ tools });
    for (const name of ["Ada", "Bob", "Eve", "Out"]) {
      await createPerson(api.service, name, `${name.toLowerCase()}@example.com`);
    }
    ({ email: bot } = await createMachineUser(api.service, "Bot"));
    const slugs = [
      await createSyncedServer(api.service, "Open", upstream.url),
      await createSyncedServer(api.service, "Draft", upstream.url, { status: "draft" }),
      await createServer(api.service, "Bare"),
      await createServer(api.service, "Keyed", upstream.url, { auth_settings: { authType: "proxy-api-key" } }),
    ];
    await createServer(api.service, "Unused", upstream.url, { status: "active" });
    const emails = ["ada@example.com", "bob@example.com", "out@example.com", bot];
    await createGroup(api.service, "Staff", { slugs, emails });
    await createGroup(api.service, "Leads", { slugs: ["open"], emails: ["ada@example.com"] });
    await createGroup(api.service, "Testers", {
      slugs: ["draft"],
      emails: ["bob@example.com"],
      settings: { show_draft_mcps: true },
    });
    await api.call("PATCH", "/api/users?email=out@example.com", { disabled: true });
    await api.call("PATCH", "/api/mcp-servers/tools?slug=open", { disable: ["off"] });
    await api.call("PUT", "/api/user/api-key?email=ada@example.com&mcp=keyed", { key: "k" });
    while ((await api.call("GET", "/api/mcp-servers/keyed")).body.data.tools_count === 0);
  });
  after(() => upstream.close());

  const list = async (query: string) => {
    const answer = await api.call("GET", `/api/access/callers?${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const reasons = async (query: string) =>
    (await list(query)).data.map(({ email, reason }: Row) => [email.split("@")[0], reason]);

  it("lists users who can call a tool with their groups, then others with the reason", async () => {
    const { data, summary, pagination, totalCount } = await list("tool=open__on");
    assert.deepEqual(data[0], {
      email: "ada@example.com",
      name: "Ada",
      is_machine_user: false,
      verdict: "allowed",
      reason: "allowed",
      says: "The user can call this tool.",
      groups: ["Leads", "Staff"],
      connection: "not_required",
    });
    assert.deepEqual(
      data.map((row: Row) => [row.email.split("@")[0], row.reason, row.groups.length]),
      [
        ["ada", "allowed", 2],
        ["bob", "allowed", 1],
        ["bot", "allowed", 1],
        ["eve", "no_group", 0],
        ["out", "user_disabled", 0],
      ],
    );
    assert.deepEqual(summary, {
      server: "open",
      tool: "open__on",
      allowed: 3,
      not_connected: 0,
      refused: 2,
      blocked_by: null,
      next_step: null,
    });
    assert.deepEqual([pagination.hasMore, totalCount], [false, 5]);
  });

  it("gives the verdict of the explanation for every user and tool", async () => {
    for (const tool of ["open__on", "open__off", "open__nothing", "draft__on", "bare__x", "keyed__on", "unused__x"]) {
      for (const { email, verdict, reason } of (await list(`tool=${tool}`)).data as Row[]) {
        const { data } = (await api.call("GET", `/api/access/explain?email=${email}&tool=${tool}`)).body;
        assert.deepEqual([data.verdict, data.reason], [verdict, reason], `${email} ${tool}`);
      }
    }
  });

  it("reports who is connected to a server that requires it", async () => {
    const { data, summary } = await list("server=keyed");
    assert.deepEqual(
      data.map((row: Row) => [row.email.split("@")[0], row.verdict, row.connection]),
      [
        ["ada", "allowed", "connected"],
        ["bob", "not_connected", "not_connected"],
        ["bot", "not_connected", "not_connected"],
        ["eve", "refused", "not_connected"],
        ["out", "refused", "not_connected"],
      ],
    );
    assert.deepEqual([summary.tool, summary.allowed, summary.not_connected, summary.refused], [null, 1, 2, 2]);
  });

  it("reports what blocks a tool or server for all users, and how to unblock it", async () => {
    for (const [query, blocked] of [
      ["tool=open__off", "tool_disabled"],
      ["tool=open__nothing", "unknown_tool"],
      ["server=bare", "no_upstream"],
      ["server=open", null],
      ["tool=draft__on", null],
    ] as const) {
      const { summary } = await list(query);
      assert.equal(summary.blocked_by, blocked, query);
      assert.equal(summary.next_step === null, blocked === null, query);
    }
    assert.deepEqual(await reasons("tool=draft__on"), [
      ["bob", "allowed"],
      ["ada", "draft"],
      ["bot", "draft"],
      ["eve", "no_group"],
      ["out", "user_disabled"],
    ]);
  });

  it("filters by verdict and text, and paginates", async () => {
    assert.deepEqual(await reasons("tool=open__on&verdict=refused"), [
      ["eve", "no_group"],
      ["out", "user_disabled"],
    ]);
    assert.deepEqual(await reasons("tool=open__on&search=AD"), [["ada", "allowed"]]);
    assert.deepEqual(await reasons("tool=open__on&search=unknown"), []);
    const { data, pagination, totalCount } = await list("tool=open__on&limit=2&cursor=1");
    assert.deepEqual(
      data.map((row: Row) => row.email.split("@")[0]),
      ["bob", "bot"],
    );
    assert.deepEqual([pagination, totalCount], [{ cursor: 1, limit: 2, hasMore: true, nextCursor: 3 }, 5]);
  });

  it("requires either a tool or a server, and the scope admin:read", async () => {
    const path = "/api/access/callers";
    await api.invalid("tool: either tool or server is required", "GET", path);
    await api.invalid("tool: either tool or server is required", "GET", `${path}?tool=a__b&server=a`);
    await api.invalid("tool: must have the form {server}__{tool}", "GET", `${path}?tool=open`);
    await api.invalid(
      "verdict: must be one of allowed, not_connected, refused",
      "GET",
      `${path}?server=open&verdict=x`,
    );
    await api.expect(404, { error: "MCP server not found" }, "GET", `${path}?server=nowhere`);
    await api.expect(404, { error: "MCP server not found" }, "GET", `${path}?tool=nowhere__x`);
    const { token } = await api.tokenWith("connect:read");
    assert.equal((await api.call("GET", `${path}?server=open`, undefined, bearer(token))).status, 403);
  });
});

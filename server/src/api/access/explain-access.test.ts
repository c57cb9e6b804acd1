import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

forEachApi("GET /api/access/explain", (api) => {
  let upstream: RawUpstream;
  before(async () => {
    const tools = ["on", "off"].map((name) => ({ name, inputSchema: { type: "object" } }));
    upstream = await startRawUpstream({ tools });
    await createPerson(api.service, "Ada", "ada@example.com");
    await createPerson(api.service, "Eve", "eve@example.com");
    await createPerson(api.service, "Out", "out@example.com");
    await api.call("PATCH", "/api/users?email=out@example.com", { disabled: true });
    const slugs = [
      await createSyncedServer(api.service, "Open", upstream.url),
      await createSyncedServer(api.service, "Draft", upstream.url, { status: "draft" }),
      await createServer(api.service, "Bare"),
      await createServer(api.service, "Keyed", "http://127.0.0.1:1/mcp", {
        auth_settings: { authType: "proxy-api-key" },
      }),
    ];
    await api.call("PATCH", "/api/mcp-servers/tools?slug=open", { disable: ["off"] });
    await createGroup(api.service, "Staff", { slugs, emails: ["ada@example.com", "out@example.com"] });
    await createGroup(api.service, "Testers", { slugs: ["draft"], settings: { show_draft_mcps: true } });
  });
  after(() => upstream.close());

  const explain = async (email: string, tool: string) => {
    const answer = await api.call("GET", `/api/access/explain?email=${email}&tool=${tool}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const failed = (data: { steps: { check: string; passed: boolean | null }[] }) =>
    data.steps.filter((step) => step.passed === false).map((step) => step.check);

  it("allows a tool and lists every step", async () => {
    const data = await explain("ADA@example.com", "open__on");
    assert.deepEqual(
      [data.verdict, data.reason, data.says, data.next_step],
      ["allowed", "allowed", "The user can call this tool.", null],
    );
    assert.deepEqual(data.groups, [{ name: "Staff", member: true, gives: true, blocked_by: null }]);
    assert.deepEqual(
      data.steps.map((step: { passed: boolean }) => step.passed),
      Array.from({ length: 11 }, () => true),
    );
    assert.equal(data.steps[4].says, "The server is in the user's group Staff");
  });

  it("shows the limits of the user, of the groups that grant the tool, and of the tool", async () => {
    const user = {
      scope: "user",
      name: "ada@example.com",
      calls_per_minute: null,
      concurrent_calls: 256,
      says: "Each user is limited to 256 concurrent calls",
    };
    assert.deepEqual((await explain("ada@example.com", "open__on")).limits, [user]);
    assert.deepEqual((await explain("ada@example.com", "open__off")).limits, []);
    assert.deepEqual((await explain("nobody@example.com", "open__on")).limits, []);
    await api.call("PATCH", "/api/groups?name=Staff", { limits: { calls_per_minute: 60, concurrent_calls: 1 } });
    await api.call("PATCH", "/api/mcp-servers/tools?slug=open", { limits: [{ tool: "on", calls_per_minute: 5 }] });
    const group = { scope: "group", name: "Staff", calls_per_minute: 60, concurrent_calls: 1 };
    const tool = { scope: "tool", name: "on", calls_per_minute: 5, concurrent_calls: null };
    assert.deepEqual((await explain("ada@example.com", "open__on")).limits, [
      user,
      { ...group, says: "Group Staff limits each member to 60 calls per minute and 1 concurrent call" },
      { ...tool, says: "All users of the tool together are limited to 5 calls per minute" },
    ]);
    await createGroup(api.service, "Free", { slugs: ["open"], emails: ["ada@example.com"] });
    const scopes = (await explain("ada@example.com", "open__on")).limits.map((limit: { scope: string }) => limit.scope);
    assert.deepEqual(scopes, ["user", "tool"]);
    await api.call("DELETE", "/api/groups?name=Free");
    await api.call("PATCH", "/api/groups?name=Staff", { limits: null });
  });

  for (const [email, tool, reason, checks] of [
    ["nobody@example.com", "open__on", "unknown_user", ["user"]],
    ["ada@example.com", "open", "malformed_name", ["name"]],
    ["ada@example.com", "nowhere__on", "unknown_server", ["server"]],
    ["ada@example.com", "draft__on", "draft", ["status"]],
    ["ada@example.com", "bare__on", "draft", ["status", "upstream"]],
    ["ada@example.com", "keyed__on", "not_synced", ["tool", "connection"]],
    ["ada@example.com", "open__off", "tool_disabled", ["tool"]],
    ["ada@example.com", "open__nothing", "unknown_tool", ["tool"]],
    ["eve@example.com", "open__on", "no_group", ["group"]],
    ["eve@example.com", "draft__off", "no_group", ["group"]],
    ["eve@example.com", "open__off", "no_group", ["group", "tool"]],
    ["out@example.com", "open__on", "user_disabled", ["enabled"]],
    ["out@example.com", "draft__nothing", "user_disabled", ["enabled", "status", "tool"]],
  ] as const) {
    it(`${email} and ${tool}: reports ${reason} and all failed checks`, async () => {
      const data = await explain(email, tool);
      assert.deepEqual([data.verdict, data.reason, failed(data)], ["refused", reason, checks]);
      assert.equal(data.steps.length, 11);
      assert.ok(data.next_step.length > 10);
    });
  }

  it("names the toolkit that limits the server and does not have the tool", async () => {
    const tools = [{ server: "open", tool: "on", alias: "run" }];
    const toolkit = { slug: "kit", name: "Kit", status: "active", least_privilege: true, groups: ["Staff"], tools };
    assert.equal((await api.call("POST", "/api/toolkits", toolkit)).status, 201);
    const data = await explain("ada@example.com", "open__on");
    assert.deepEqual([data.verdict, data.reason, failed(data)], ["refused", "not_in_toolkit", ["toolkit"]]);
    assert.equal(data.steps[9].says, "Toolkit kit limits this server and does not have this tool");
    const run = await explain("ada@example.com", "open__run");
    assert.deepEqual([run.verdict, run.steps[9].says, failed(run)], ["allowed", "Toolkit kit exposes this tool", []]);
    const verdicts = async (query: string) => {
      const { body } = await api.call("GET", `/api/access/callers?${query}&search=ada`);
      return body.data.map(({ verdict, reason }: Record<string, string>) => [verdict, reason]);
    };
    assert.deepEqual(await verdicts("tool=open__on"), [["refused", "not_in_toolkit"]]);
    assert.deepEqual(await verdicts("tool=open__run"), [["allowed", "allowed"]]);
    assert.deepEqual(await verdicts("server=open"), [["allowed", "allowed"]]);
    assert.equal((await api.call("DELETE", "/api/toolkits?slug=kit")).status, 200);
    assert.equal((await explain("ada@example.com", "open__on")).steps[9].says, "No toolkit limits this server");
  });

  it("names the groups that grant the server but not the tool", async () => {
    const select = async (tools: readonly string[] | null) => {
      const answer = await api.call("PATCH", "/api/groups/staff/integrations?slug=open", { tools });
      assert.equal(answer.status, 200, answer.text);
    };
    await select(["off"]);
    const data = await explain("ada@example.com", "open__on");
    assert.deepEqual([data.verdict, data.reason, failed(data)], ["refused", "not_selected", ["selection"]]);
    assert.equal(data.steps[8].says, "Group Staff grants this server but not this tool");
    assert.deepEqual(data.groups, [{ name: "Staff", member: true, gives: false, blocked_by: "selection" }]);
    const callers = await api.call("GET", "/api/access/callers?tool=open__on&search=ada");
    const [ada] = callers.body.data;
    assert.deepEqual([ada.verdict, ada.reason, ada.groups], ["refused", "not_selected", []]);
    await select(["on"]);
    assert.equal((await explain("ada@example.com", "open__on")).steps[8].says, "The tool is granted by group Staff");
    await select(null);
  });

  it("lists the groups that contain the server, and whether each gives access", async () => {
    const { groups } = await explain("ada@example.com", "draft__on");
    assert.deepEqual(groups, [
      { name: "Staff", member: true, gives: false, blocked_by: "draft" },
      { name: "Testers", member: false, gives: true, blocked_by: null },
    ]);
  });

  it("requires both parameters", async () => {
    await api.invalid("email query parameter is required", "GET", "/api/access/explain?tool=x");
    await api.invalid("tool query parameter is required", "GET", "/api/access/explain?email=x");
  });
});

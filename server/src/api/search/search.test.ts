import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { insertPendingApprovals } from "#test/approval-rows";
import { remoteServer, reported } from "#test/discovery-report";
import { createGroup, createMachineUser, createPerson, createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const tool = (name: string, rest: object = {}) => ({ name, inputSchema: { type: "object" }, ...rest });

forEachApi("GET /api/search", (api) => {
  let hub: RawUpstream;
  let tracker: RawUpstream;
  before(async () => {
    hub = await startRawUpstream({
      tools: [
        tool("reopen_issue_list"),
        tool("issue"),
        tool("issue_comment", { title: "Comment", description: "x".repeat(1_000) }),
        tool("straße", { title: "ÄRGER" }),
        tool("off"),
      ],
    });
    tracker = await startRawUpstream({ tools: [tool("create_issue"), tool("create_100%")] });
    const { service } = api;
    await createServer(service, "Tissue box", undefined, { slug: "box", description: "Not a git hub" });
    await createServer(service, "Issues", undefined, { slug: "mine" });
    await createServer(service, "Plain", undefined, { slug: "plain", description: "About every issue" });
    await createSyncedServer(service, "GitHub", hub.url);
    await createSyncedServer(service, "Tracker", tracker.url);
    await service.api("PATCH", "/api/mcp-servers/tools?slug=github", { disable: ["off"] });
    await createPerson(service, "Ann Issue", "ann@example.com");
    await createPerson(service, "Bob", "issue@example.com");
    await createMachineUser(service, "Issue bot");
    await createGroup(service, "Tissues");
    await createGroup(service, "ISSUE");
  });
  after(() => Promise.all([hub.close(), tracker.close()]));

  const found = async (q: string, rest = "") => {
    const { status, body, text } = await api.call("GET", `/api/search?q=${encodeURIComponent(q)}${rest}`);
    assert.equal(status, 200, text);
    return body.data;
  };
  const tools = async (q: string) =>
    (await found(q)).tools.map((each: { server_slug: string; slug: string }) => `${each.server_slug}__${each.slug}`);

  it("finds every kind: exact matches first, then prefixes, then others", async () => {
    const data = await found("ISSUE");
    const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
    assert.deepEqual(names(data.servers), ["Issues", "Tissue box", "Plain"]);
    assert.deepEqual(names(data.tools), ["issue", "Comment", "create_issue", "reopen_issue_list"]);
    assert.deepEqual(names(data.users), ["Bob", "Ann Issue"]);
    assert.deepEqual(names(data.machine_users), ["Issue bot"]);
    assert.deepEqual(names(data.groups), ["ISSUE", "Tissues"]);
    assert.equal(data.machine_users[0].slug, "issue-bot");
  });

  it("returns a tool with its server and a shortened description", async () => {
    const [first] = (await found("issue_comment")).tools;
    const { logo_url: logo, description, ...rest } = first;
    assert.match(logo, /\/logos\//);
    assert.equal(description, "x".repeat(160));
    const expected = { server_slug: "github", server_name: "GitHub", slug: "issue_comment", name: "Comment" };
    assert.deepEqual(rest, { ...expected, enabled: true });
    assert.equal((await found("off")).tools[0].enabled, false);
  });

  it("requires every word, in any order, and also searches the server slug of a tool", async () => {
    assert.deepEqual(await tools("issue create"), ["tracker__create_issue"]);
    assert.deepEqual(await tools("create issue"), ["tracker__create_issue"]);
    assert.deepEqual(await tools("hub issue"), ["github__issue", "github__issue_comment", "github__reopen_issue_list"]);
    assert.deepEqual(await tools("tracker__create_issue"), ["tracker__create_issue"]);
    assert.deepEqual(await tools("tracker"), []);
    assert.deepEqual(await tools("github nothing"), []);
    assert.deepEqual(
      (await found("git hub")).servers.map(({ slug }: { slug: string }) => slug),
      ["github", "box"],
    );
  });

  it("ignores case beyond ASCII, and matches pattern characters literally", async () => {
    const [umlaut] = (await found("ärger")).tools;
    assert.equal(umlaut.name, "ÄRGER");
    assert.deepEqual(
      (await found("100%")).tools.map(({ name }: { name: string }) => name),
      ["create_100%"],
    );
    assert.deepEqual((await found("a%r")).tools, []);
    assert.deepEqual(await tools("issue%"), []);
  });

  it("finds discovered items and devices", async () => {
    const mcp_servers = [remoteServer("zebra-crossing", "https://zebra.example.com/mcp")];
    const report = reported("zebra-laptop", { mcp_servers });
    assert.equal((await api.call("POST", "/api/ai-discovery/reports", report)).status, 200);
    const { discovered, devices } = await found("zebra");
    assert.deepEqual(
      discovered.map(({ kind, name, devices_count }: Record<string, unknown>) => [kind, name, devices_count]),
      [["mcp_server", "zebra-crossing", 1]],
    );
    assert.deepEqual(devices, [
      { id: "zebra-laptop", hostname: "zebra-laptop.local", user_email: "zebra-laptop@example.com" },
    ]);
  });

  it("finds agents, guards, webhooks, log destinations, and approvals", async () => {
    const provider = { type: "scripted", script: [] };
    const agent = { name: "Night watch", instructions: "Look at new alarms.", model: "m", provider };
    await api.call("POST", "/api/background-agents", { ...agent, description: "Reads alarms" });
    for (const q of ["night-watch", "reads alarm"])
      assert.deepEqual((await found(q)).agents, [{ slug: "night-watch", name: "Night watch", status: "draft" }]);
    await api.call("POST", "/api/webhooks", {
      name: "Issue feed",
      url: "https://hooks.example.com",
      events: ["tools.held"],
    });
    const destination = { kind: "otlp", sources: ["audit"], url: "https://otel.example.com/v1/logs", enabled: false };
    const { body } = await api.call("POST", "/api/log-destinations", { ...destination, name: "Issue archive" });
    assert.deepEqual((await found("archive issue")).log_destinations, [
      { id: body.data.id, name: "Issue archive", enabled: false },
    ]);
    await insertPendingApprovals(api.db, "apr_1");
    assert.deepEqual(
      (await found("issue")).webhooks.map(({ name }: { name: string }) => name),
      ["Issue feed"],
    );
    const [card] = (await found("payment card")).guards;
    assert.deepEqual(card, { slug: "payment-cards", name: "Payment cards", enabled: false });
    const call = { id: "apr_1", tool: "echo", server_name: "Wiki", user_email: "ada@example.com", status: "pending" };
    for (const q of ["ada echo", "apr_1"]) assert.deepEqual((await found(q)).approvals, [call]);
  });

  it("limits results, and rejects invalid parameters", async () => {
    assert.equal((await found("issue", "&limit=1")).tools.length, 1);
    await api.invalid("limit: must be an integer between 1 and 20", "GET", "/api/search?q=a&limit=21");
    await api.invalid("q: must be at most 200 characters", "GET", `/api/search?q=${"a".repeat(201)}`);
    const { status, body } = await api.call("GET", "/api/search?q=%20");
    assert.equal(status, 400);
    assert.match(body.error ?? body.message, /q query parameter is required/);
  });

  it("follows a sync that renames tools", async () => {
    tracker.tools = [tool("close_issue")];
    await api.service.api("POST", "/api/mcp-servers/tracker/sync");
    assert.deepEqual(await tools("create"), []);
    assert.deepEqual(await tools("close"), ["tracker__close_issue"]);
  });
});

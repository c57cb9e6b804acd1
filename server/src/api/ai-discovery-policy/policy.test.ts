import assert from "node:assert/strict";
import { before, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { localServer, remoteServer, reported, skill } from "#test/discovery-report";
import { createGroup, createPerson } from "#test/factories";

const POLICY = "/api/ai-discovery-policy";
const RULES = `${POLICY}/rules`;

forEachApi("the AI discovery policy", (api) => {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await api.call(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const rule = (name: string, action: string, match: object, rest: object = {}) =>
    call("POST", RULES, { name, kind: "mcp_server", action, match, ...rest });
  const actions = async () => {
    const servers = await call("GET", "/api/ai-discovery/mcp-servers?sort=name");
    return servers.map(({ name, action }: { name: string; action: string }) => `${name} ${action}`);
  };
  const order = async () => (await call("GET", RULES)).map(({ name }: { name: string }) => name);
  const clear = async () => {
    for (const { id } of await call("GET", RULES)) await api.call("DELETE", `${RULES}?id=${id}`);
  };
  before(async () => {
    await createPerson(api.service, "Ada", "ada@example.com");
    await createGroup(api.service, "Finance");
    await api.call("POST", "/api/groups/Finance/users", { emails: ["ada@example.com"] });
    const mcp_servers = [
      localServer("alpha", ["-y", "@modelcontextprotocol/server-git@1.2.3"]),
      remoteServer("beta", "https://mcp.evil.example/mcp"),
      remoteServer("gamma", "http://127.0.0.1:8080/mcp"),
    ];
    const body = reported("one", {
      mcp_servers,
      skills: [skill("pdf")],
      user: { username: "ada", email: "ada@example.com" },
    });
    assert.equal((await api.call("POST", "/api/ai-discovery/reports", body)).status, 200);
  });

  it("has defaults, and every change has a version, a history entry and an audit entry", async () => {
    const policy = await call("GET", POLICY);
    assert.deepEqual(
      [policy.enforcement, policy.default_actions, policy.always_allow_managed, policy.rules_count],
      ["monitor", { mcp_servers: "warn", skills: "allow" }, true, 0],
    );
    const audits = await api.auditOf(() => call("PATCH", POLICY, { default_actions: { skills: "block" } }));
    assert.deepEqual(
      audits.map(({ operation }) => operation),
      ["updateDiscoveryPolicy"],
    );
    const changed = await call("GET", POLICY);
    assert.deepEqual([changed.version, changed.devices_to_evaluate], [policy.version + 1, 0]);
    assert.equal((await call("GET", "/api/ai-discovery/skills"))[0].action, "block");
    const [entry] = await call("GET", `${POLICY}/history`);
    assert.deepEqual(
      [entry.version, entry.before.default_skills, entry.after.default_skills],
      [changed.version, "allow", "block"],
    );
    await call("PATCH", POLICY, { default_actions: { skills: "allow" } });
    const bad = { default_actions: { skills: "deny" } };
    await api.invalid("default_actions.skills: must be one of allow, warn, block", "PATCH", POLICY, bad);
  });

  it("decides by the first rule that matches, and the order of rules counts", async () => {
    const allow = await rule("Official", "allow", { package: ["npm:@modelcontextprotocol/*"] });
    const block = await rule("Evil", "block", { host: ["*.evil.example"] }, { message: "Ask security" });
    assert.deepEqual(await actions(), ["alpha allow", "beta block", "gamma allow"]);
    const all = await rule("All", "warn", { name: ["*"] }, { position: 1 });
    assert.deepEqual(await order(), ["All", "Official", "Evil"]);
    const counted = (await api.call("GET", `${RULES}?limit=1&includeTotal=true`)).body;
    assert.deepEqual([counted.data.length, counted.totalCount], [1, 3]);
    assert.deepEqual(await actions(), ["alpha warn", "beta warn", "gamma allow"]);
    await call("PUT", `${RULES}/order`, { ids: [allow.id, block.id, all.id] });
    assert.deepEqual(await actions(), ["alpha allow", "beta block", "gamma allow"]);
    const message = "ids: must contain every rule exactly once";
    for (const ids of [[allow.id], [allow.id, allow.id, block.id], [allow.id, block.id, "x"]]) {
      await api.invalid(message, "PUT", `${RULES}/order`, { ids });
    }
    await call("PATCH", `${RULES}?id=${all.id}`, { position: 1, enabled: false });
    assert.deepEqual(await actions(), ["alpha allow", "beta block", "gamma allow"]);
    await api.expect(200, { message: "Rule deleted successfully" }, "DELETE", `${RULES}?id=${all.id}`);
    assert.deepEqual(
      (await call("GET", RULES)).map(({ position }: { position: number }) => position),
      [1, 2],
    );
    await api.expect(404, { error: "Rule not found" }, "DELETE", `${RULES}?id=${all.id}`);
  });

  it("opens violations, resolves them, and reports them to webhooks", async () => {
    await clear();
    const webhook = { name: "Hook", url: "http://127.0.0.1:65001/", events: ["discovery.violation"] };
    await call("POST", "/api/webhooks", webhook);
    await rule("Evil", "block", { host: ["mcp.evil.example"] });
    const open = await call("GET", "/api/ai-discovery/violations?status=open&action=block");
    assert.deepEqual(
      open.map((each: Record<string, unknown>) => [each.name, each.device_id, each.user_email, each.rule_name]),
      [["beta", "one", "ada@example.com", "Evil"]],
    );
    const [delivery] = await api.db.selectFrom("webhook_deliveries").selectAll().execute();
    const { data } = JSON.parse(delivery?.payload ?? "{}");
    assert.deepEqual(
      [delivery?.event_type, data.totals, data.violations[0].name],
      ["discovery.violation", { block: 1, warn: 0 }, "beta"],
    );
    await clear();
    assert.equal((await call("GET", "/api/ai-discovery/violations?status=open&action=block")).length, 0);
    assert.ok((await call("GET", "/api/ai-discovery/violations?status=resolved&action=block"))[0].resolved_at);
  });

  it("predicts with a dry run exactly what a change does, and saves nothing", async () => {
    await clear();
    const { version } = await call("GET", POLICY);
    const rules = [{ name: "Evil", kind: "mcp_server", action: "block", match: { host: ["*.evil.example"] } }];
    const predicted = await call("POST", `${POLICY}/dry-run`, { rules, default_actions: { mcp_servers: "allow" } });
    assert.deepEqual(
      predicted.changes.map(({ name, from, to, devices_count: n }: Record<string, unknown>) => [name, from, to, n]),
      [
        ["beta", "warn", "block", 1],
        ["alpha", "warn", "allow", 1],
      ],
    );
    assert.deepEqual(predicted.totals, { allow: 3, warn: 0, block: 1 });
    assert.equal((await call("GET", POLICY)).version, version);
    await call("PATCH", POLICY, { default_actions: { mcp_servers: "allow" } });
    await rule("Evil", "block", { host: ["*.evil.example"] });
    assert.deepEqual(await actions(), ["alpha allow", "beta block", "gamma allow"]);
    assert.deepEqual((await call("POST", `${POLICY}/dry-run`, {})).changes, []);
    await call("PATCH", POLICY, { default_actions: { mcp_servers: "warn" } });
  });

  it("explains a decision about one item, and decides about several", async () => {
    await clear();
    const off = await rule("Off", "block", { name: ["*"] }, { enabled: false });
    const finance = await rule("Finance", "block", { groups: ["finance"], name: ["x*"] });
    const item = { kind: "mcp_server", name: "xyz", url: "https://x.example.com/mcp" };
    const one = await call("POST", `${POLICY}/evaluate`, { item });
    assert.deepEqual([one.action, one.rule_id], ["warn", null]);
    assert.deepEqual(one.trace, [
      { rule_id: off.id, matched: false, failed_condition: "disabled" },
      { rule_id: finance.id, matched: false, failed_condition: "groups" },
    ]);
    for (const who of [{ device_id: "one" }, { email: "ada@example.com" }]) {
      assert.equal((await call("POST", `${POLICY}/evaluate`, { item, ...who })).rule_id, finance.id);
    }
    const items = [item, { kind: "skill", name: "pdf" }, { kind: "mcp_server", url: "http://127.0.0.1:8080/mcp" }];
    const several = await call("POST", `${POLICY}/evaluate`, { items });
    assert.deepEqual(
      several.map(({ action }: { action: string }) => action),
      ["warn", "allow", "allow"],
    );
    await api.invalid("item: item is required", "POST", `${POLICY}/evaluate`, {});
    await api.expect(404, { error: "Device not found" }, "POST", `${POLICY}/evaluate`, { item, device_id: "x" });
  });

  it("gives a device its own policy only, with an ETag", async () => {
    await clear();
    await rule("Finance", "block", { groups: ["finance", "sales"], name: ["x"] });
    await rule("Others", "block", { users: ["kim@example.com"], name: ["x"] });
    const { token } = await api.tokenWith("discovery:ingest");
    const get = (headers: Record<string, string> = {}) =>
      api.service.http(`${POLICY}/effective?device_id=one`, { headers: { ...bearer(token), ...headers } });
    const first = await get();
    const { data } = first.body;
    assert.deepEqual(
      data.rules.map(({ name, match }: Record<string, unknown>) => [name, match]),
      [["Finance", { groups: ["Finance"], name: ["x"] }]],
    );
    assert.deepEqual(data.device, { id: "one", user: "ada@example.com", groups: ["Finance"] });
    assert.deepEqual(data.gateway_urls, ["http://127.0.0.1:8080/mcp"]);
    assert.equal(Object.keys(data.facts).length, 4);
    const etag = String(first.headers.etag);
    assert.match(etag, new RegExp(`^"${data.version}\\.`));
    const second = await get({ "if-none-match": etag });
    assert.deepEqual([second.status, second.text], [304, ""]);
    await call("PATCH", POLICY, { notify_users: false });
    assert.equal((await get({ "if-none-match": etag })).status, 200);
    await api.invalid("device_id query parameter is required", "GET", `${POLICY}/effective`);
  });

  it("follows reviews that rules depend on", async () => {
    await clear();
    await rule("Rejected", "block", { review_status: ["rejected"] });
    const [beta] = await call("GET", "/api/ai-discovery/mcp-servers?search=beta");
    await call("PATCH", `/api/ai-discovery/mcp-servers?fingerprint=${beta.fingerprint}`, { review_status: "rejected" });
    assert.deepEqual(await actions(), ["alpha warn", "beta block", "gamma allow"]);
  });

  it("exports what Claude Code can enforce", async () => {
    await clear();
    await rule("Names", "block", { name: ["bad"] });
    await rule("Hosts", "block", { host: ["*.evil.example"] });
    const packages = await rule("Packages", "allow", { package: ["npm:@modelcontextprotocol/*"] });
    const warned = await rule("Warned", "warn", { name: ["odd"] });
    const glob = await rule("Globs", "block", { name: ["b*"] });
    const data = await call("GET", `${POLICY}/export?target=claude-code`);
    assert.deepEqual(data.deniedMcpServers, [
      { serverName: "bad" },
      { serverUrl: "https://*.evil.example/*" },
      { serverUrl: "http://*.evil.example/*" },
    ]);
    assert.deepEqual(data.allowedMcpServers.at(-1), {
      serverCommand: ["npx", "-y", "@modelcontextprotocol/server-git@1.2.3"],
    });
    assert.equal("allowedMcpServers" in data.settings, false, "an allowlist would block everything else");
    assert.deepEqual(
      data.skipped.map(({ rule_id: id }: { rule_id: string }) => id),
      [packages.id, warned.id, glob.id],
    );
    await api.invalid("target: must be one of claude-code", "GET", `${POLICY}/export?target=x`);
  });

  it("exports no name that an allowed server in Claude Code has", async () => {
    await clear();
    const names = await rule("Names", "block", { name: ["bad", "shared", "elsewhere"] });
    const managed = (name: string, client: string) =>
      remoteServer(name, "http://127.0.0.1:8080/mcp", { client, config_path: "~/.claude.json" });
    const mcp_servers = [managed("shared", "claude-code"), managed("elsewhere", "cursor")];
    await call("POST", "/api/ai-discovery/reports", reported("names", { mcp_servers }));
    const { deniedMcpServers, skipped } = await call("GET", `${POLICY}/export?target=claude-code`);
    assert.deepEqual(deniedMcpServers, [{ serverName: "bad" }, { serverName: "elsewhere" }]);
    const reason = "Claude Code would also deny a server that is not blocked and has the same name: shared";
    assert.deepEqual(skipped, [{ rule_id: names.id, reason }]);
    await call("DELETE", "/api/ai-discovery/devices?id=names");
  });

  it("rejects invalid rules and names the field", async () => {
    const body = { name: "x", kind: "mcp_server", action: "block", match: { name: ["x"] } };
    for (const [message, change] of [
      ["name: name is required", { name: undefined }],
      ["kind: must be one of mcp_server, skill", { kind: "agent" }],
      ["action: action is required", { action: undefined }],
      ["match: at least one condition is required", { match: {} }],
      ["match: at least one condition is required", { match: undefined }],
      ['match: unknown condition "hots"', { match: { hots: ["x"] } }],
      ["match.name.0: invalid pattern", { match: { name: ["{a,b"] } }],
      ["match.min_risk: must be between 0 and 100", { match: { min_risk: 101 } }],
      ["message: must be at most 300 characters", { message: "x".repeat(301) }],
      ["expires_at: must be an ISO 8601 timestamp", { expires_at: "soon" }],
    ] as const) {
      await api.invalid(message, "POST", RULES, { ...body, ...change });
    }
    const created = await call("POST", RULES, { ...body, match: { name: "single", groups: ["gone"] } });
    assert.deepEqual(created.match, { name: ["single"], groups: ["gone"] });
    assert.deepEqual(created.warnings, ["Group not found: gone"]);
  });
});

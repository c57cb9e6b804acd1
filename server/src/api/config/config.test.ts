import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createPerson } from "#test/factories";

type Objects = Record<string, Record<string, unknown>[]>;
const SECRETS: Record<string, string> = {
  SERVERS_GITHUB_HEADERS_X_API_KEY: "key-1",
  SERVERS_LINEAR_CLIENT_SECRET: "secret-2",
  GUARDS_SCAN_CHECKS_0_CONFIG_HEADERS_KEY: "secret-3",
  AGENTS_TRIAGE_PROVIDER_API_KEY: "secret-4",
  WEBHOOKS_ON_CALL_SECRET: `whsec_${Buffer.from("canary-7f3a-secret".repeat(2)).toString("base64")}`,
};

/** One object of each kind, with references among them. */
const ORGANIZATION: Objects = {
  settings: [{ name: "organization", call_log_retention_days: 45 }],
  servers: [
    {
      ...{ slug: "github", name: "GitHub", url: "http://127.0.0.1:65001/mcp", transport: "http", status: "active" },
      ...{ headers: { "X-Api-Key": SECRETS.SERVERS_GITHUB_HEADERS_X_API_KEY }, tool_policy: "hold" },
    },
    {
      ...{ slug: "linear", name: "Linear", url: "https://mcp.example.com/mcp", description: "Issues" },
      auth_settings: { authType: "proxy-oauth", clientId: "gatehouse" },
      client_secret: SECRETS.SERVERS_LINEAR_CLIENT_SECRET,
    },
  ],
  "machine-users": [{ slug: "ci", name: "CI", owners: ["ada@example.com"], toolkit: "triage" }],
  groups: [
    {
      ...{
        name: "Engineering",
        settings: { show_draft_mcps: true },
        members: ["ada@example.com", "ci@machine.example.com"],
      },
      servers: [{ slug: "github", tools: ["search"] }, { slug: "linear" }],
    },
    { name: "Support", members: [], servers: [] },
  ],
  skills: [
    {
      ...{ slug: "notes", name: "notes", description: "Release notes", content: "# Notes\n", status: "active" },
      ...{ files: [{ path: "reference/style.md", content: "Short.\n" }], groups: ["Engineering"] },
    },
  ],
  commands: [
    { slug: "release", name: "Release", content: "Write {{version}}.", status: "active", groups: ["Engineering"] },
  ],
  toolkits: [
    {
      slug: "triage",
      name: "Triage",
      tools: [{ server: "github", tool: "search" }],
      groups: ["Engineering", "Support"],
    },
  ],
  plugins: [{ slug: "starter", name: "Starter", skills: ["notes"], groups: ["Engineering"] }],
  guards: [
    {
      ...{ slug: "scan", name: "Scan", type: "runtime", action: "block", enabled: true },
      scope: { groups: ["Engineering"] },
      checks: [
        {
          ...{ id: "scan", type: "webhook", name: "Scan" },
          config: { url: "http://127.0.0.1:65001/", headers: { key: SECRETS.GUARDS_SCAN_CHECKS_0_CONFIG_HEADERS_KEY } },
        },
      ],
    },
  ],
  issuers: [
    {
      ...{ slug: "ci-jobs", name: "CI jobs", issuer: "https://token.example.com", audiences: ["gatehouse"] },
      jwks_uri: "https://token.example.com/jwks",
    },
  ],
  agents: [
    {
      ...{ slug: "triage", name: "Triage", instructions: "Label issues.", model: "m", toolkit: "triage" },
      provider: { type: "anthropic", api_key: SECRETS.AGENTS_TRIAGE_PROVIDER_API_KEY },
      triggers: { schedule: { cron: "0 9 * * 1-5", input: "Triage" } },
    },
  ],
  "discovery-policy": [
    {
      ...{ name: "organization", enforcement: "enforce", default_actions: { mcp_servers: "block", skills: "warn" } },
      rules: [
        { name: "Ours", kind: "mcp_server", action: "allow", match: { package: ["npm:@acme/*"] } },
        {
          ...{ name: "For now", kind: "skill", action: "warn", match: { has_scripts: true, groups: ["Engineering"] } },
          expires_at: "2030-01-31T10:00:00+01:00",
        },
      ],
    },
  ],
  webhooks: [
    {
      ...{ name: "On call", url: "http://127.0.0.1:65001/", events: ["security.alert"], enabled: false },
      secret: SECRETS.WEBHOOKS_ON_CALL_SECRET,
    },
  ],
};

forEachApi("the configuration as files", (api) => {
  const apply = (config: Objects, prune = false) => api.call("POST", "/api/config/apply", { config, prune });
  const plan = async (config: Objects, prune = false) => {
    const answer = await api.call("POST", "/api/config/plan", { config, prune });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.map(
      (step: { action: string; kind: string; key: string }) => `${step.action} ${step.kind} ${step.key}`,
    );
  };
  const exported = async (): Promise<{ text: string; config: Objects; secrets: string[] }> => {
    const answer = await api.call("GET", "/api/config");
    assert.equal(answer.status, 200, answer.text);
    return { text: answer.text, config: answer.body.data.config, secrets: answer.body.data.secrets };
  };
  /** What the CLI does with references. */
  const resolved = (config: Objects): Objects =>
    JSON.parse(
      JSON.stringify(config, (_name, value: unknown) => {
        const name = typeof value === "string" ? /^\$\{env:(\w+)\}$/.exec(value)?.[1] : undefined;
        return name === undefined ? value : SECRETS[name];
      }),
    );

  before(async () => {
    await createPerson(api.service, "Ada", "ada@example.com");
  });

  it("applies every kind, and then plans no changes", async () => {
    const answer = await apply(ORGANIZATION);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await plan(ORGANIZATION), []);
    const { config, text, secrets } = await exported();
    assert.deepEqual(secrets, Object.keys(SECRETS).sort());
    for (const secret of Object.values(SECRETS)) assert.ok(!text.includes(secret));
    assert.deepEqual(await plan(resolved(config), true), []);
  });

  it("plans no change for limits that are empty, and removes those that are null", async () => {
    const github = (limits: unknown): Objects => ({ servers: [{ slug: "github", limits }] }) as Objects;
    const unset = [null, {}, { queue_seconds: null }];
    for (const limits of unset) assert.deepEqual(await plan(github(limits)), [], JSON.stringify(limits));
    assert.equal((await apply(github({ queue_seconds: 7, total_seconds: 100 }))).status, 200);
    assert.deepEqual(await plan(github({})), []);
    assert.deepEqual(await plan(github({ queue_seconds: null })), ["update servers github"]);
    assert.equal((await apply(github(null))).status, 200);
    for (const limits of unset) assert.deepEqual(await plan(github(limits)), [], JSON.stringify(limits));
  });

  it("restores the same export after everything was deleted", async () => {
    const first = await exported();
    const nothing = Object.fromEntries(
      Object.keys(ORGANIZATION)
        .filter((kind) => kind !== "settings")
        .map((kind) => [kind, []]),
    );
    const wiped = await apply(nothing, true);
    assert.equal(wiped.status, 200, wiped.text);
    assert.equal((await exported()).config.servers?.length, 0);
    assert.deepEqual(await plan(nothing, true), []);
    const again = await apply(resolved(first.config), true);
    assert.equal(again.status, 200, again.text);
    assert.equal((await exported()).text, first.text);
    assert.deepEqual(await plan(resolved(first.config), true), []);
  });

  it("changes nothing if one object is rejected, and names it", async () => {
    const before = await api.everything();
    const config = { groups: [{ name: "New" }, { name: "Broken", members: ["nobody@example.com"] }] };
    const answer = await apply(config);
    assert.equal(answer.status, 400);
    assert.match(answer.text, /groups Broken: .*nobody@example\.com/);
    assert.deepEqual(await api.everything(), before);
    await api.invalid(
      "config: unknown section group. Sections: settings, servers, machine-users, groups, skills, commands, toolkits, plugins, guards, issuers, agents, webhooks, log-destinations, discovery-policy",
      "POST",
      "/api/config/plan",
      { config: { group: [] } },
    );
    await api.invalid("config.groups.0: name is required", "POST", "/api/config/plan", { config: { groups: [{}] } });
  });

  it("exports a guard without deleted groups, and as disabled if no group remains", async () => {
    for (const name of ["Kept", "Deleted"]) assert.equal((await api.call("POST", "/api/groups", { name })).status, 201);
    const checks = [{ type: "regex", name: "Digits", config: { pattern: "[0-9]{9}" } }];
    const guard = { type: "runtime", action: "log", enabled: true, checks };
    for (const [name, groups] of [
      ["Partly", ["Kept", "Deleted"]],
      ["Gone", ["Deleted"]],
    ] as const) {
      const created = await api.call("POST", "/api/guards", { ...guard, name, scope: { groups } });
      assert.equal(created.status, 201, created.text);
    }
    assert.equal((await api.call("DELETE", "/api/groups?name=Deleted")).status, 200);
    const { text, config } = await exported();
    const found = (slug: string) => config.guards?.find((each) => each.slug === slug) as Record<string, unknown>;
    const groupsOf = (slug: string) => (found(slug).scope as { groups: string[] } | undefined)?.groups ?? [];
    assert.deepEqual([groupsOf("partly"), found("partly").enabled], [["Kept"], true]);
    // An empty list covers every group, so the guard must not be active where the file is applied.
    assert.deepEqual([groupsOf("gone"), found("gone").enabled], [[], false]);
    assert.doesNotMatch(text, /grp_/);
    assert.deepEqual(await plan(resolved(config)), []);
    for (const slug of ["partly", "gone"]) await api.call("DELETE", `/api/guards?slug=${slug}`);
    await api.call("DELETE", "/api/groups?name=Kept");
  });

  it("detects changes of fields and secrets, hides secrets, and prunes only on request", async () => {
    const { config } = await exported();
    const wanted = resolved(config);
    const github = wanted.servers?.find(({ slug }) => slug === "github");
    assert.ok(github);
    github.headers = { "X-Api-Key": "key-9" };
    wanted.groups = (wanted.groups ?? []).filter(({ name }) => name !== "Support");
    // A plan reports what apply would reject (decision 0193).
    const inUse = "toolkits triage: Groups not found: Support";
    for (const verb of ["plan", "apply"])
      await api.invalid(inUse, "POST", `/api/config/${verb}`, { config: wanted, prune: true });
    const { toolkits: _, ...others } = wanted;
    const answer = await api.call("POST", "/api/config/plan", { config: others, prune: true });
    assert.ok(!answer.text.includes("key-9") && !answer.text.includes("key-1"), answer.text);
    assert.deepEqual(await plan(others, true), ["update servers github", "delete groups Support"]);
    const audit = await api.auditOf(() => apply(wanted));
    assert.deepEqual(audit.map(({ operation }) => operation).sort(), ["applyConfig", "updateMcpServer"]);
    assert.deepEqual(await plan(wanted), []);
    const managed = (await api.call("GET", "/api/config/managed")).body.data;
    assert.ok(
      managed.some((object: { kind: string; key: string }) => object.kind === "groups" && object.key === "Engineering"),
    );
    assert.ok(!managed.some((object: { key: string }) => object.key === "Support"));
  });

  it("applies only the steps of a given plan", async () => {
    const body = { config: { groups: [{ name: "Planned", settings: { auto_assign_users: true } }] } };
    const planned = (await api.call("POST", "/api/config/plan", body)).body.data;
    await api.call("POST", "/api/groups", { name: "Planned" });
    const refused = await api.call("POST", "/api/config/apply", { ...body, planned });
    assert.equal(refused.status, 409);
    assert.match(refused.text, /The installation changed after the plan, so nothing was applied\./);
    const again = (await api.call("POST", "/api/config/plan", body)).body.data;
    assert.equal(again[0].action, "update");
    assert.equal((await api.call("POST", "/api/config/apply", { ...body, planned: again })).status, 200);
    assert.deepEqual((await api.call("POST", "/api/config/plan", body)).body.data, []);
  });
});

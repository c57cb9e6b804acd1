import { SETTINGS } from "#records/settings";
import { AutomationGenerator } from "./generated-automation.ts";
import { Choices, type Names, PEOPLE, UPSTREAM } from "./generated-choices.ts";

export type Objects = Record<string, Record<string, unknown>[]>;

export { PEOPLE };

/** A configuration with objects of every kind, with secrets, and with references among them. */
export function generateOrganization(seed: number): Objects {
  const random = new Choices(seed);
  const slugs = (kind: string) => Array.from({ length: random.from(1, 4) }, (_, n) => `${kind}-${n}`);
  const names = {
    servers: slugs("server"),
    machines: slugs("bot"),
    groups: slugs("Group").map((name) => random.one([name, name.toUpperCase(), `${name} & Söhne`])),
    skills: slugs("skill"),
    commands: slugs("command"),
    toolkits: slugs("toolkit"),
    issuers: slugs("issuer"),
  };
  const make = new Generator(random, names);
  const automation = new AutomationGenerator(random, names);
  return {
    settings: [make.settings()],
    servers: names.servers.map((slug) => make.server(slug)),
    "machine-users": names.machines.map((slug) => make.machineUser(slug)),
    groups: names.groups.map((name) => make.group(name)),
    skills: names.skills.map((slug) => make.skill(slug)),
    commands: names.commands.map((slug) => make.command(slug)),
    toolkits: names.toolkits.map((slug) => make.toolkit(slug)),
    plugins: slugs("plugin").map((slug) => make.plugin(slug)),
    guards: slugs("guard").map((slug) => automation.guard(slug)),
    issuers: names.issuers.map((slug, index) => automation.issuer(slug, index)),
    agents: slugs("agent").map((slug) => automation.agent(slug)),
    webhooks: slugs("webhook").map((name) => automation.webhook(name)),
    "log-destinations": slugs("destination").map((name) => automation.logDestination(name)),
    "discovery-policy": [automation.discoveryPolicy()],
  };
}

class Generator {
  readonly #random: Choices;
  readonly #names: Names;

  constructor(random: Choices, names: Names) {
    this.#random = random;
    this.#names = names;
  }

  /** All numbers, and settings that need nothing else. */
  settings() {
    const random = this.#random;
    const numbers = Object.entries(SETTINGS).flatMap(([name, setting]) =>
      setting.kind === "number" ? [[name, random.from(setting.minimum, setting.maximum)] as const] : [],
    );
    const others = {
      ...{ machine_secret_reveal: random.chance(), access_requests: random.chance(), allow_plugin_hooks: true },
      ...{ payload_capture: random.one(["off", "metadata", "redacted", "full"]), help_contact: "help@example.com" },
      payload_capture_until: random.one([null, "2020-01-01T00:00:00.000Z", "2100-01-01T00:00:00.000Z"]),
    };
    return {
      name: "organization",
      ...random.maybe({ ...Object.fromEntries(numbers), ...others }),
      allow_plugin_hooks: true,
    };
  }

  server(slug: string) {
    const random = this.#random;
    const [issuer = ""] = this.#names.issuers;
    const authentication = random.one([
      {
        auth_settings: { authType: "none" },
        headers: { "X-Api-Key": random.secret(), Authorization: random.secret() },
      },
      { auth_settings: { authType: "none" } },
      {
        auth_settings: {
          authType: "proxy-oauth",
          clientId: "gatehouse",
          ...random.maybe({ client: { scope: "a b" } }),
        },
        client_secret: random.secret(),
      },
      { auth_settings: { authType: "proxy-api-key", ...random.maybe({ headerName: "X-Key", headerPrefix: "Key " }) } },
      { auth_settings: { authType: "exchanged-token", issuer: `https://${issuer}.example.com` } },
    ]);
    return {
      ...{
        slug,
        name: random.text("Server"),
        url: `${UPSTREAM}/${slug}`,
        transport: random.one(["http", "sse", "both"]),
      },
      ...{ headers: null, client_secret: null, ...authentication },
      ...random.maybe({
        ...{
          description: random.text("About"),
          status: random.one(["active", "draft"]),
          pass_instructions: random.chance(),
        },
        ...{ tool_policy: random.one(["allow", "warn", "hold"]), result_limit_bytes: random.one([null, 4096]) },
        limits: random.maybe({ concurrent_calls: random.from(1, 256), queue_seconds: 7, total_seconds: 100 }),
        disabled_tools: random.one([[], ["write"], ["write", "A tool of 2 words"]]),
        tool_limits: random.one([{}, { read: { calls_per_minute: random.from(1, 60), concurrent_calls: null } }]),
      }),
    };
  }

  machineUser(slug: string) {
    const random = this.#random;
    return {
      ...{ slug, name: random.text("Bot"), toolkit: random.one([null, ...this.#names.toolkits]) },
      client_credentials: random.one([
        null,
        { clientId: slug, clientSecret: random.secret(), tokenUrl: `${UPSTREAM}/token` },
      ]),
      ...random.maybe({
        ...{ owners: random.some(PEOPLE), disabled: random.chance() },
        ...{ external_id: random.one([null, `external-${slug}`]), risk_score: random.one([null, 0, 55]) },
      }),
    };
  }

  group(name: string) {
    const random = this.#random;
    const grant = (slug: string) => ({
      slug,
      ...random.one([{}, { tools: ["write", "read"] }, { except_tools: ["read"] }, { tools: null }]),
    });
    const machines = this.#names.machines.map((slug) => `${slug}@machine.example.com`);
    return {
      name,
      servers: random.some(this.#names.servers).reverse().map(grant),
      members: [...random.some(PEOPLE), ...random.some(machines)].reverse(),
      ...random.maybe({
        settings: random.maybe({
          auto_assign_users: random.chance(),
          auto_assign_mcps: random.chance(),
          show_draft_mcps: random.chance(),
        }),
        limits: random.one([
          null,
          { calls_per_minute: random.from(1, 100) },
          { calls_per_minute: null, concurrent_calls: 3 },
        ]),
      }),
    };
  }

  skill(slug: string) {
    const random = this.#random;
    const files = [
      { path: "scripts/run.sh", content: "#!/bin/sh\necho run\n", executable: true },
      { path: "notes.md", content: random.text("Notes") },
      { path: "data.bin", content_base64: Buffer.from([0, 255, 254, 13, 10]).toString("base64") },
    ];
    return {
      ...{ slug, name: slug, description: random.text("Does"), content: `# ${random.text("Skill")}\n` },
      groups: random.some(this.#names.groups).reverse(),
      ...random.maybe({
        ...{
          license: "MIT",
          compatibility: "any",
          metadata: { zeta: "1", alpha: "2" },
          allowed_tools: ["Read", "Bash(git *)"],
        },
        ...{ files: random.some(files), status: random.one(["draft", "active"]) },
      }),
    };
  }

  command(slug: string) {
    const random = this.#random;
    return {
      ...{ slug, name: random.text("Command"), content: `${random.text("Write")} {{version}} of {{area}}.` },
      ...{ skills: random.some(this.#names.skills), groups: random.some(this.#names.groups) },
      ...random.maybe({
        arguments: [
          { name: "version", description: "Such as 1.4.0", required: true },
          { name: "area", enum: ["api", "app"], default: "api" },
        ],
        ...{ description: random.text("About"), argument_hint: "<version>", allowed_tools: ["Read"], model: "m" },
        ...{ disable_model_invocation: random.chance(), include_skills: random.chance() },
        status: random.one(["draft", "active"]),
      }),
    };
  }

  toolkit(slug: string) {
    const random = this.#random;
    const { servers, skills, commands, groups } = this.#names;
    const changes = () => ({
      ...random.maybe({ title: "Read", description: random.text("Reads") }),
      arguments: random.one([
        null,
        { fixed: { owner: "acme", deep: { n: [1, null] } }, defaults: { page: 1 }, hidden: ["x"] },
      ]),
    });
    const entry = (server: string) => ({ server, ...random.one([{ tool: "*" }, { tool: "read", ...changes() }]) });
    return {
      ...{ slug, name: random.text("Toolkit"), tools: servers.map(entry) },
      ...{ skills: random.some(skills), commands: random.some(commands), groups: random.some(groups).reverse() },
      prompts: random.some(servers).map((server) => ({ server, name: "greet" })),
      resources: random.some(servers).map((server) => ({ server, uri: "file:///{path}" })),
      ...random.maybe({
        ...{
          description: random.text("About"),
          instructions: random.text("Use"),
          status: random.one(["draft", "active"]),
        },
        least_privilege: random.chance(),
      }),
    };
  }

  plugin(slug: string) {
    const random = this.#random;
    const { servers, skills, commands, groups, toolkits } = this.#names;
    return {
      ...{ slug, name: random.text("Plugin"), skills: random.some(skills), commands: random.some(commands) },
      mcp: {
        toolkit: random.one([null, ...toolkits]),
        servers: random.some(servers),
        ...random.maybe({ server_name: "gate" }),
      },
      ...random.maybe({
        ...{ description: random.text("About"), author: { name: "Ada", email: "ada@example.com" }, category: "tools" },
        ...{ keywords: ["b", "a"], homepage: "https://example.com/", license: "MIT" },
        ...{ agents: [{ name: "reviewer", description: "Reviews", content: "Review." }] },
        hooks: { Stop: [{ hooks: [{ type: "command", command: "true", timeout: 5 }] }] },
        ...{ targets: random.one([["codex", "claude"], ["cursor"]]), groups: random.some(groups) },
      }),
    };
  }
}

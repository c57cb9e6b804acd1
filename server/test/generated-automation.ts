import { PII_ENTITIES } from "#guards/pii/recognizers";
import { WEBHOOK_EVENT_TYPES } from "#lib/webhook-events";
import { type Choices, type Names, PEOPLE, UPSTREAM } from "./generated-choices.ts";

/** Guards, issuers, agents and webhooks of a generated organization. */
export class AutomationGenerator {
  readonly #random: Choices;
  readonly #names: Names;

  constructor(random: Choices, names: Names) {
    this.#random = random;
    this.#names = names;
  }

  guard(slug: string) {
    const random = this.#random;
    const { servers, groups } = this.#names;
    const type = random.one(["runtime", "buildtime"]);
    const checks = [
      { id: "regex", type: "regex", name: "Ticket", config: { pattern: "ACME-[0-9]{6}", flags: "i" } },
      { id: "word", type: "keyword", name: "Words", certainty: 3, config: { words: ["project x"], whole_word: false } },
      { id: "pii", type: "pii", name: "PII", config: { entities: [PII_ENTITIES[0]] } },
      {
        id: "hook",
        type: "webhook",
        name: "Hook",
        config: { url: `${UPSTREAM}/`, headers: { "x-key": random.secret() } },
      },
    ];
    const runtime = {
      action: random.one(["log", "warn", "block", "redact", "require_approval"]),
      scope: {
        groups: random.some(groups),
        servers: random.some(servers),
        users: random.some(PEOPLE),
        tools: ["*__read"],
      },
    };
    return {
      // The type of a guard never changes.
      ...{
        slug: `${slug}-${type}`,
        name: random.text("Guard"),
        type,
        checks: [
          random.one(checks),
          ...(type === "runtime" ? [{ id: "size", type: "size", name: "Size", config: { max_bytes: 5 } }] : []),
        ],
      },
      ...(type === "runtime" ? runtime : { action: random.one(["log", "warn"]) }),
      ...random.maybe({
        ...{
          description: random.text("About"),
          enabled: false,
          threshold: random.from(1, 10),
          priority: random.from(0, 500),
        },
        ...{ on_error: random.one(["allow", "block"]), message: random.text("Stop") },
      }),
    };
  }

  issuer(slug: string, index: number) {
    const random = this.#random;
    const { groups, machines } = this.#names;
    const fixed = { mode: "fixed", machine_user: `${random.one(machines)}@machine.example.com` };
    // Servers send tokens of the first one on.
    const isFixed = index > 0 && random.chance();
    return {
      ...{ slug, name: random.text("Issuer"), issuer: `https://${slug}.example.com`, audiences: ["gatehouse", "b"] },
      ...(isFixed ? { subject: fixed, passthrough: false } : { subject: { mode: "map" }, passthrough: true }),
      provision: { groups: random.some(groups), group_map: { idp: random.one(groups) } },
      conditions: [
        { claim: ["a.b", "c"], operator: "in", value: ["x", "y"] },
        { claim: "d", operator: "exists" },
      ],
      ...random.maybe({
        ...{ enabled: random.chance(), jwks_uri: `https://${slug}.example.com/jwks`, algorithms: ["EdDSA", "RS256"] },
        ...{
          max_age_seconds: 900,
          token: random.maybe({ access_ttl_seconds: 600, refresh: false }),
          one_time_jti: random.chance(),
        },
        require_api_key: random.chance(),
      }),
    };
  }

  agent(slug: string) {
    const random = this.#random;
    const { toolkits, skills, machines } = this.#names;
    const platform = random.one([
      // The default provider of the installation, with its model or another.
      { provider: null, model: random.one([null, "m"]) },
      { provider: { type: "anthropic", api_key: random.secret() } },
      { provider: { type: "openai-compatible", base_url: UPSTREAM, headers: { "x-team": random.secret() } } },
      { provider: { type: "scripted", script: [{ text: "done" }, { tool: "a__b", arguments: { n: 1 } }] } },
      { platform: "webhook", platform_config: { url: `${UPSTREAM}/run`, secret: random.secret() } },
      {
        platform: "anthropic",
        platform_config: { api_key: random.secret(), environment_id: "env_1", vault_ids: ["v"] },
      },
    ]);
    const schedule = random.one([
      null,
      { cron: "0 9 * * 1-5", timezone: "Europe/Berlin", input: random.text("Do"), enabled: random.chance() },
    ]);
    const webhook = random.one([null, { enabled: random.chance(), secret: random.secret() }]);
    return {
      // The platform of an agent never changes.
      ...{ slug: `${slug}-${platform.platform ?? "builtin"}`, name: random.text("Agent"), model: "m", ...platform },
      ...{ instructions: random.text("Label"), skills: random.some(skills) },
      ...{ toolkit: random.one([null, ...toolkits]), identity: `${random.one(machines)}@machine.example.com` },
      ...random.maybe({
        ...{ description: random.text("About"), status: random.one(["draft", "active", "paused"]) },
        ...{ owner_emails: random.some(PEOPLE), limits: random.maybe({ max_steps: 3, timeout_seconds: 60 }) },
        ...{ triggers: random.maybe({ schedule, webhook }), notify_url: random.one([null, `${UPSTREAM}/done`]) },
      }),
    };
  }

  webhook(name: string) {
    const random = this.#random;
    return {
      ...{
        name: random.text(name),
        url: `${UPSTREAM}/hooks`,
        events: [...random.some(WEBHOOK_EVENT_TYPES), "security.alert"],
      },
      secret: `whsec_${Buffer.from(random.secret().padEnd(32, "-")).toString("base64")}`,
      ...random.maybe({ format: random.one(["json", "slack"]), enabled: random.chance() }),
    };
  }

  /** Disabled, so that nothing is sent. The name contains the kind, which cannot be changed. */
  logDestination(name: string) {
    const random = this.#random;
    const kind = random.one(["otlp", "webhook", "s3"]);
    return {
      ...{ name: `${name}-${kind}`, kind, enabled: false },
      ...{ url: `${UPSTREAM}/logs`, sources: random.one([["calls"], ["audit"], ["calls", "audit"]]) },
      ...random.maybe({ outcomes: random.one([null, ["error", "denied"]]) }),
      ...(kind === "s3"
        ? {
            ...{ region: "eu-central-1", bucket: "logs", access_key_id: "AKIAEXAMPLE0000000", prefix: "gatehouse/" },
            ...{ secret_access_key: random.secret(), addressing: "path" },
          }
        : { headers: { "x-key": random.secret() } }),
      ...(kind === "webhook" && {
        secret: `whsec_${Buffer.from(random.secret().padEnd(32, "-")).toString("base64")}`,
      }),
    };
  }

  discoveryPolicy() {
    const random = this.#random;
    const rule = (index: number) => ({
      ...{ name: random.text(`Rule ${index}`), kind: random.one(["mcp_server", "skill"]) },
      ...{ action: random.one(["allow", "warn", "block"]) },
      match: random.one([
        { name: ["a*"], min_risk: 30 },
        { managed: true },
        { groups: [random.one(this.#names.groups)] },
      ]),
      ...random.maybe({ enabled: random.chance(), message: "Ask first", expires_at: "2100-01-01T00:00:00Z" }),
    });
    return {
      ...{ name: "organization", enforcement: random.one(["monitor", "enforce"]) },
      ...{ default_actions: { mcp_servers: random.one(["allow", "warn"]) }, notify_users: random.chance() },
      rules: Array.from({ length: random.from(0, 3) }, (_, index) => rule(index)),
    };
  }
}

import type { Command } from "./verb.ts";

/** Commands that talk to a running service. Each is loaded only when it is used. */
export const COMMANDS: Readonly<Record<string, { readonly summary: string; load(): Promise<Command> }>> = {
  servers: {
    summary: "MCP servers and their tools",
    load: async () => (await import("./verbs/servers.ts")).servers,
  },
  import: {
    summary: "add the servers of an MCP client's file",
    load: async () => (await import("./verbs/import.ts")).importServers,
  },
  connectors: {
    summary: "the catalog of connectors",
    load: async () => (await import("./verbs/connectors.ts")).connectors,
  },
  groups: {
    summary: "groups, their servers and members",
    load: async () => (await import("./verbs/groups.ts")).groups,
  },
  toolkits: {
    summary: "selections of tools from several servers",
    load: async () => (await import("./verbs/toolkits.ts")).toolkits,
  },
  skills: {
    summary: "instructions and files for models",
    load: async () => (await import("./verbs/skills.ts")).skills,
  },
  commands: {
    summary: "templates that clients show as prompts",
    load: async () => (await import("./verbs/commands.ts")).commands,
  },
  plugins: {
    summary: "bundles of skills, commands and MCP configuration",
    load: async () => (await import("./verbs/plugins.ts")).plugins,
  },
  agents: {
    summary: "models that work without a person",
    load: async () => (await import("./verbs/agents.ts")).agents,
  },
  guards: {
    summary: "examine calls and content",
    load: async () => (await import("./verbs/guards.ts")).guards,
  },
  discovery: {
    summary: "AI tools on devices",
    load: async () => (await import("./verbs/discovery.ts")).discovery,
  },
  "discovery-policy": {
    summary: "which discovered AI tools are allowed",
    load: async () => (await import("./verbs/discovery-policy.ts")).discoveryPolicy,
  },
  users: {
    summary: "people and machine users",
    load: async () => (await import("./verbs/users.ts")).users,
  },
  provisioning: {
    summary: "people and groups that SCIM manages",
    load: async () => (await import("./verbs/provisioning.ts")).provisioning,
  },
  access: {
    summary: "which tools a user can call, and why",
    load: async () => (await import("./verbs/access.ts")).access,
  },
  callers: {
    summary: "who can call a tool, and why others cannot",
    load: async () => (await import("./verbs/callers.ts")).callers,
  },
  requests: {
    summary: "requests of people for access",
    load: async () => (await import("./verbs/requests.ts")).requests,
  },
  approvals: {
    summary: "calls that guards hold until a person approves them",
    load: async () => (await import("./verbs/approvals.ts")).approvals,
  },
  issuers: {
    summary: "trusted issuers, whose tokens are exchanged",
    load: async () => (await import("./verbs/issuers.ts")).issuers,
  },
  tokens: {
    summary: "API tokens",
    load: async () => (await import("./verbs/tokens.ts")).tokens,
  },
  webhooks: {
    summary: "send events to other services",
    load: async () => (await import("./verbs/webhooks.ts")).webhooks,
  },
  email: {
    summary: "invitations and notices by email",
    load: async () => (await import("./verbs/email.ts")).email,
  },
  "log-destinations": {
    summary: "send the call log and the audit log elsewhere",
    load: async () => (await import("./verbs/log-destinations.ts")).logDestinations,
  },
  settings: {
    summary: "organization settings",
    load: async () => (await import("./verbs/settings.ts")).settings,
  },
  export: {
    summary: "write the configuration to YAML files",
    load: async () => (await import("./verbs/config.ts")).exportConfig,
  },
  plan: {
    summary: "compare YAML files with the installation",
    load: async () => (await import("./verbs/config.ts")).planConfig,
  },
  apply: {
    summary: "make the installation equal to YAML files",
    load: async () => (await import("./verbs/config.ts")).applyConfig,
  },
  release: {
    summary: "release an object from YAML files",
    load: async () => (await import("./verbs/config.ts")).releaseFromFiles,
  },
  audit: {
    summary: "the audit log",
    load: async () => (await import("./verbs/audit.ts")).audit,
  },
  logs: {
    summary: "the call log: list, follow, count, export",
    load: async () => (await import("./verbs/logs.ts")).logs,
  },
  tools: {
    summary: "the tools of an access key",
    load: async () => (await import("./verbs/tools.ts")).tools,
  },
  call: {
    summary: "call a tool",
    load: async () => (await import("./verbs/call.ts")).call,
  },
};

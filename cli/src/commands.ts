import type { Command } from "./verb.ts";

/** What people run against a service, anywhere; each is loaded only when it is asked for. */
export const COMMANDS: Readonly<Record<string, { readonly summary: string; load(): Promise<Command> }>> = {
  servers: {
    summary: "MCP servers and their tools",
    load: async () => (await import("./verbs/servers.ts")).servers,
  },
  import: {
    summary: "create servers from the file of an MCP client",
    load: async () => (await import("./verbs/import.ts")).importServers,
  },
  connectors: {
    summary: "the catalog from which servers are made",
    load: async () => (await import("./verbs/connectors.ts")).connectors,
  },
  groups: {
    summary: "groups, their servers and users",
    load: async () => (await import("./verbs/groups.ts")).groups,
  },
  users: {
    summary: "people and machine users",
    load: async () => (await import("./verbs/users.ts")).users,
  },
  access: {
    summary: "what a user can call, and why",
    load: async () => (await import("./verbs/access.ts")).access,
  },
  callers: {
    summary: "who can call a tool, and why others cannot",
    load: async () => (await import("./verbs/callers.ts")).callers,
  },
  tokens: {
    summary: "tokens of the administration API",
    load: async () => (await import("./verbs/tokens.ts")).tokens,
  },
  settings: {
    summary: "settings of the organization",
    load: async () => (await import("./verbs/settings.ts")).settings,
  },
  audit: {
    summary: "who changed what over the API",
    load: async () => (await import("./verbs/audit.ts")).audit,
  },
  logs: {
    summary: "what happened at the gateway",
    load: async () => (await import("./verbs/logs.ts")).logs,
  },
  tools: {
    summary: "the tools that an access key gives",
    load: async () => (await import("./verbs/tools.ts")).tools,
  },
  call: {
    summary: "call a tool",
    load: async () => (await import("./verbs/call.ts")).call,
  },
};

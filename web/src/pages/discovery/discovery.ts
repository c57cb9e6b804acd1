import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import { fetchAll } from "../../api/find.ts";
import type { Tone } from "../../components/tone.ts";

export type FoundServer = Schemas["DiscoveredMcpServer"];
export type FoundSkill = Schemas["DiscoveredSkill"];
export type FoundMemory = Schemas["DiscoveredMemory"];
export type FoundAgent = Schemas["DiscoveredAgent"];
export type FoundInstance = Schemas["DiscoveryInstance"];
export type Device = Schemas["DiscoveryDevice"];
export type Violation = Schemas["DiscoveryViolation"];
export type Policy = Schemas["DiscoveryPolicy"];
export type Rule = Schemas["DiscoveryRule"];
export type Action = Policy["default_actions"]["skills"];
export type DiscoverySummary = Awaited<ReturnType<Api["getDiscoverySummary"]>>["data"];
export type Review = FoundServer["review_status"];

/** The tabs of the inventory. */
export type Tab = "servers" | "skills" | "memory" | "agents";

export const discoveryKey = ["discovery"] as const;

export function summaryQuery(api: Api) {
  return queryOptions({
    queryKey: [...discoveryKey, "summary"],
    queryFn: async ({ signal }) => (await api.getDiscoverySummary({ signal })).data,
    refetchInterval: 60_000,
  });
}

export function policyQuery(api: Api) {
  return queryOptions({
    queryKey: [...discoveryKey, "policy"],
    queryFn: async ({ signal }) => (await api.getDiscoveryPolicy({ signal })).data,
    // Decisions are made again in the background after a change.
    refetchInterval: ({ state }) => ((state.data?.devices_to_evaluate ?? 0) > 0 ? 2_000 : false),
  });
}

export function rulesQuery(api: Api) {
  return queryOptions({
    queryKey: [...discoveryKey, "rules"],
    // All of them, because their order and the dry run need the entire policy.
    queryFn: ({ signal }) => fetchAll((cursor) => api.listDiscoveryRules({ query: { limit: 200, cursor }, signal })),
  });
}

export const ACTION_LABELS: Readonly<Record<Action, { label: string; tone: Tone }>> = {
  allow: { label: "Allowed", tone: "good" },
  warn: { label: "Warning", tone: "warn" },
  block: { label: "Blocked", tone: "bad" },
};

export const KIND_LABELS: Readonly<Record<FoundInstance["kind"], string>> = {
  mcp_server: "MCP server",
  skill: "Skill",
  agent_memory: "Agent memory",
  agent: "Agent",
};

/** The tab that lists items of a kind. */
export const TAB_OF_KIND: Readonly<Record<FoundInstance["kind"], Tab>> = {
  mcp_server: "servers",
  skill: "skills",
  agent_memory: "memory",
  agent: "agents",
};

export const AGENT_KIND_LABELS: Readonly<Record<string, string>> = {
  cli: "Command-line tool",
  app: "App",
};

export const REVIEW_LABELS: Readonly<Record<Review, string>> = {
  unreviewed: "Not reviewed",
  approved: "Approved",
  rejected: "Rejected",
  ignored: "Ignored",
};

export const RISK_LABELS: Readonly<Record<string, string>> = {
  plain_http: "Remote server without TLS",
  unpinned_package: "Package without an exact version",
  privileged_container: "Container with access to the entire device",
  secret_in_arguments: "Secret in the arguments or URL",
  shell_wrapper: "Runs through a shell",
  inline_code: "Runs code from its arguments",
  unknown_publisher: "Unknown package or publisher",
  hidden_unicode: "Hidden Unicode characters",
  has_scripts: "Contains scripts",
  not_managed: "Not managed by the gateway",
};

export function riskTone(score: number): Tone {
  if (score >= 50) return "bad";
  return score >= 25 ? "warn" : "quiet";
}

export const SYSTEM_LABELS: Readonly<Record<string, string>> = { darwin: "macOS", linux: "Linux", win32: "Windows" };

const CLIENT_LABELS: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  "claude-desktop": "Claude Desktop",
  cursor: "Cursor",
  vscode: "VS Code",
  windsurf: "Windsurf",
  zed: "Zed",
  codex: "Codex",
  "gemini-cli": "Gemini CLI",
  "copilot-cli": "Copilot CLI",
  goose: "Goose",
  cline: "Cline",
};

export function clientLabel(client: string): string {
  return CLIENT_LABELS[client] ?? client;
}

/** What a server is: its URL, package or program. */
export function targetOf({ url, package: pkg, command }: FoundServer): string {
  return url ?? pkg ?? command ?? "";
}

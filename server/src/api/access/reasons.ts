import type { Decision } from "#gateway/snapshot/decision";
import type { Facts } from "./facts.ts";
import type { REASONS } from "./schema.ts";

export type Reason = (typeof REASONS)[number];

export type Refusal = Extract<Decision, { kind: "refused" }>["reason"];

/** The first check that fails. Undefined refusal: the gateway forwards the call. */
export function reasonOf(refusal: Refusal | undefined, facts: Pick<Facts, "hiddenTool" | "connection">): Reason {
  if (refusal === undefined) return isConnected(facts) ? "allowed" : "not_connected";
  if (refusal === "unknown-tool" && facts.hiddenTool) return `tool_${facts.hiddenTool}`;
  return REASON[refusal];
}

const REASON = {
  "malformed-name": "malformed_name",
  "unknown-server": "unknown_server",
  "user-disabled": "user_disabled",
  "no-group": "no_group",
  draft: "draft",
  "not-selected": "not_selected",
  "not-in-toolkit": "not_in_toolkit",
  "no-upstream": "no_upstream",
  "not-synced": "not_synced",
  "unknown-tool": "unknown_tool",
} as const satisfies Record<Refusal, Reason>;

export function isConnected({ connection }: Pick<Facts, "connection">): boolean {
  return connection === "not_required" || connection === "connected";
}

export function verdictOf(reason: Reason): "allowed" | "not_connected" | "refused" {
  return reason === "allowed" || reason === "not_connected" ? reason : "refused";
}

export const REASON_TEXT: Readonly<Record<Reason, { readonly says: string; readonly next: string | null }>> = {
  allowed: { says: "The user can call this tool.", next: null },
  unknown_user: { says: "No user has this email.", next: "Check the email, or create the user." },
  user_disabled: { says: "The user is disabled and has no access.", next: "Enable the user." },
  malformed_name: {
    says: "This is not a gateway tool name.",
    next: "Use the form {server}__{tool}, such as github__create_issue.",
  },
  unknown_server: {
    says: "No server has this slug.",
    next: "Check the part before the double underscore, or create the server.",
  },
  no_group: {
    says: "No group gives the user access to this server.",
    next: "Add the user to a group that contains the server, or add the server to one of the user's groups.",
  },
  draft: {
    says: "The server is a draft, and none of the user's groups shows drafts.",
    next: "Activate the server, or turn on show_draft_mcps for a group that contains the user and the server.",
  },
  not_selected: {
    says: "The user's groups grant this server, but not this tool.",
    next: "Select the tool in one of the user's groups, or add the user to a group that grants it.",
  },
  not_in_toolkit: {
    says: "A toolkit limits what the user can call, and it does not have this tool.",
    next: "Add the tool to the toolkit, or remove the toolkit from the user or from the user's groups.",
  },
  no_upstream: {
    says: "The server needs setup: it has no upstream yet.",
    next: "Set the server's upstream (mcp_proxy).",
  },
  not_synced: {
    says: "The server's tools have not been synced yet.",
    next: "Sync the server and fix the reported error. A server with per-user authentication syncs after the first user connects.",
  },
  unknown_tool: {
    says: "The server has no tool with this name.",
    next: "Check the part after the double underscore, or sync the server if the tool is new.",
  },
  tool_disabled: { says: "The tool is disabled.", next: "Enable the tool." },
  tool_held: {
    says: "The tool is new or has changed and is held for review.",
    next: "Review the server's tool changes and accept the tool.",
  },
  not_connected: {
    says: "The user has access to this tool but is not connected to the server.",
    next: "Connect the user's account to the server.",
  },
};

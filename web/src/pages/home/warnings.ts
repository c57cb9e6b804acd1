import type { Schemas } from "../../api/client.ts";

export interface Warning {
  readonly tone: "warn" | "bad";
  readonly label: string;
  readonly text: string;
  /** The label of the button that fixes it. */
  readonly action: string;
  /** The tab of the server page with the fix. */
  readonly tab: "tools" | "auth" | "connections" | "logs" | undefined;
}

type Listed = Pick<
  Schemas["McpServerSelection"],
  "needs_setup" | "oauth_change_pending" | "health" | "tools_changed_count" | "connections" | "auth_type" | "connection"
>;

/** Warnings for admins, most severe first. */
export function warningsOf(server: Listed): Warning[] {
  const {
    needs_setup: needsSetup,
    oauth_change_pending: isOAuthChanged,
    health,
    tools_changed_count: changed = 0,
    connections,
  } = server;
  const waiting = connections?.reconnect_needed ?? 0;
  const warnings: Array<Warning | false> = [
    needsSetup === true && setUp(server),
    health?.status === "unreachable" && {
      tone: "bad",
      label: "Unreachable",
      text: `${health.message ?? "The last sync failed"}.`,
      action: "Sync tools",
      tab: undefined,
    },
    health?.status === "failing" && {
      tone: "bad",
      label: "Failing",
      text: `Calls fail: ${health.message ?? "unknown cause"}.`,
      action: "View calls",
      tab: "logs",
    },
    isOAuthChanged === true && {
      tone: "warn",
      label: "OAuth changed",
      text: "The server names another authorization server. Users connect there only if you approve it.",
      action: "Review settings",
      tab: "auth",
    },
    changed > 0 && {
      tone: "warn",
      label: "Tools changed",
      text: `${changed === 1 ? "1 definition differs" : `${changed} definitions differ`} from the accepted version.`,
      action: "Review tools",
      tab: "tools",
    },
    waiting > 0 && {
      tone: "warn",
      label: "Needs reconnection",
      text: waiting === 1 ? "1 user must reconnect their account." : `${waiting} users must reconnect their accounts.`,
      action: "View connections",
      tab: "connections",
    },
  ];
  return warnings.filter((warning) => warning !== false);
}

function setUp({ auth_type: authType, connection }: Listed): Warning {
  const isOAuth = authType === "proxy-oauth" && connection;
  const text = isOAuth
    ? "The OAuth settings are incomplete. Discover them, or enter a client ID."
    : "The server has no URL yet.";
  return { tone: "warn", label: "Needs setup", text, action: "Set up", tab: isOAuth ? "auth" : undefined };
}

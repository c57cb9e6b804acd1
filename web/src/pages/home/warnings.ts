import type { Schemas } from "../../api/client.ts";

export interface Warning {
  readonly tone: "warn" | "bad";
  readonly label: string;
  readonly words: string;
  /** What to do about it. */
  readonly action: string;
  /** Where on the server's page it is mended. */
  readonly tab: "tools" | "auth" | "connections" | undefined;
}

type Listed = Pick<
  Schemas["McpServerSelection"],
  "needs_setup" | "sync_error" | "tools_changed_count" | "connections" | "auth_type" | "connection"
>;

/** What an admin should look at, the worst first. */
export function warningsOf(server: Listed): Warning[] {
  const { needs_setup: needsSetup, sync_error: syncError, tools_changed_count: changed = 0, connections } = server;
  const waiting = connections?.reconnect_needed ?? 0;
  const warnings: Array<Warning | false> = [
    needsSetup === true && setUp(server),
    typeof syncError === "string" && {
      tone: "bad",
      label: "Cannot be read",
      words: syncError,
      action: "Try again",
      tab: undefined,
    },
    changed > 0 && {
      tone: "warn",
      label: "Tools changed",
      words: `${changed === 1 ? "One definition differs" : `${changed} definitions differ`} from what was accepted.`,
      action: "Review tools",
      tab: "tools",
    },
    waiting > 0 && {
      tone: "warn",
      label: "Connect again",
      words: waiting === 1 ? "One user must connect again." : `${waiting} users must connect again.`,
      action: "See who",
      tab: "connections",
    },
  ];
  return warnings.filter((warning) => warning !== false);
}

function setUp({ auth_type: authType, connection }: Listed): Warning {
  const isOAuth = authType === "proxy-oauth" && connection;
  const words = isOAuth
    ? "Its OAuth settings are incomplete: discover them, or enter a client id."
    : "It has no address yet.";
  return { tone: "warn", label: "Needs setup", words, action: "Set up", tab: isOAuth ? "auth" : undefined };
}

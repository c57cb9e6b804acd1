import { CALL_METHODS } from "#openapi/constants";
import type { Schemas } from "../../api/client.ts";
import type { Tone } from "../../components/tone.ts";

export type Call = Schemas["LogEntry"];
export type Outcome = Call["outcome"];

interface OutcomeLabel {
  readonly label: string;
  readonly tone: Tone;
  /** Explains the outcome in the panel of a call. */
  readonly sentence: string;
}

export const OUTCOME_LABELS: Readonly<Record<Outcome, OutcomeLabel>> = {
  ok: { label: "OK", tone: "good", sentence: "The call succeeded." },
  tool_error: {
    label: "Tool error",
    tone: "warn",
    sentence: "The tool ran and reported an error. The caller received it as the tool's result.",
  },
  error: {
    label: "Server error",
    tone: "bad",
    sentence: "The MCP server answered with a protocol error instead of a result.",
  },
  denied: {
    label: "Denied",
    tone: "bad",
    sentence:
      "The caller has no access: none of their groups includes the server, the tool is disabled, or it does not exist.",
  },
  upstream_failed: {
    label: "Server unavailable",
    tone: "bad",
    sentence: "Gatehouse could not reach the MCP server, or its response was not valid.",
  },
  timeout: {
    label: "Timed out",
    tone: "bad",
    sentence: "The MCP server did not respond in time.",
  },
  cancelled: { label: "Canceled", tone: "quiet", sentence: "The caller canceled the call or disconnected." },
  interrupted: {
    label: "Interrupted",
    tone: "bad",
    sentence: "Gatehouse stopped during the call. The MCP server may have completed it.",
  },
  not_connected: {
    label: "Not connected",
    tone: "info",
    sentence: "The caller has no account connected to this server. They received a connect link.",
  },
  blocked: {
    label: "Blocked",
    tone: "bad",
    sentence: "A guard blocked the request or the response. The caller received the guard's message.",
  },
  pending_approval: {
    label: "Waiting for approval",
    tone: "info",
    sentence: "A guard holds the call until a person approves it.",
  },
};
// The keys of a literal record are exactly its type's.
export const OUTCOMES = Object.keys(OUTCOME_LABELS) as Outcome[];

/** `other` comes last in the list of choices. */
export const METHODS = [...CALL_METHODS.filter((method) => method !== "other"), "other"] as const;

export const VIA_LABELS: Readonly<Record<Call["via"], string>> = {
  machine_key: "Access key",
  oauth: "MCP client (OAuth)",
  exchange: "Exchanged token",
  agent: "Agent",
  app: "Playground",
  library: "Token for git and scripts",
};

// The keys of a literal record are exactly its type's.
export const VIAS = Object.keys(VIA_LABELS) as Call["via"][];

export const GUARD_ACTION_LABELS: Readonly<Record<NonNullable<Call["guard_action"]>, string>> = {
  log: "Logged",
  warn: "Warned",
  redact: "Redacted",
  require_approval: "Approval required",
  block: "Blocked",
};

/** "840 µs", "84 ms", "1.2 s", "3 min 20 s". The limits are those at which rounding reaches the next unit. */
export function duration(ms: number): string {
  if (ms < 0.9995) return `${Math.round(ms * 1000)} µs`;
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** "210 B", "1.8 KB", "3.4 MB". */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)} KB`;
  return `${(count / 1_000_000).toFixed(1)} MB`;
}

export function calls(count: number): string {
  return count === 1 ? "1 call" : `${count.toLocaleString("en")} calls`;
}

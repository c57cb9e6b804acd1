import { CALL_METHODS } from "#openapi/constants";
import type { Schemas } from "../../api/client.ts";
import type { Tone } from "../../components/tone.ts";

export type Call = Schemas["LogEntry"];
export type Outcome = Call["outcome"];

interface OutcomeWords {
  readonly label: string;
  readonly tone: Tone;
  /** What the outcome means, shown on the page of a call. */
  readonly sentence: string;
}

export const OUTCOME_WORDS: Readonly<Record<Outcome, OutcomeWords>> = {
  ok: { label: "OK", tone: "good", sentence: "The call was answered." },
  tool_error: {
    label: "Tool error",
    tone: "warn",
    sentence: "The tool was reached and refused: it answered with an error of its own, which the caller got.",
  },
  error: {
    label: "Bad request",
    tone: "warn",
    sentence: "The request was at fault: it did not reach a tool, or the server did not accept it.",
  },
  denied: {
    label: "Denied",
    tone: "bad",
    sentence: "The caller may not do this: no group of theirs has the server, the tool is off, or it does not exist.",
  },
  upstream_failed: {
    label: "Server failed",
    tone: "bad",
    sentence: "The server could not be reached, or its answer could not be used.",
  },
  timeout: {
    label: "Timed out",
    tone: "bad",
    sentence: "The server did not answer in time, and the call was given up.",
  },
  cancelled: { label: "Cancelled", tone: "quiet", sentence: "The caller went away or cancelled before the end." },
  interrupted: {
    label: "Interrupted",
    tone: "bad",
    sentence: "Gatehouse ended before the call did. Whether the server did what it was asked is not known.",
  },
  not_connected: {
    label: "Not connected",
    tone: "info",
    sentence: "The caller has no working connection to this server yet, and was given a link to make one.",
  },
};
// The keys of a literal record are exactly its type's.
export const OUTCOMES = Object.keys(OUTCOME_WORDS) as Outcome[];

/** `other` comes last in the list of choices. */
export const METHODS = [...CALL_METHODS.filter((method) => method !== "other"), "other"] as const;

export const VIA_WORDS: Readonly<Record<Call["via"], string>> = {
  machine_key: "a machine user's key",
  oauth: "an MCP client that signed in",
  exchange: "an exchanged token",
  agent: "an agent",
  app: "this app's playground",
};

// The keys of a literal record are exactly its type's.
export const VIAS = Object.keys(VIA_WORDS) as Call["via"][];

/** "840 µs", "84 ms", "1.24 s", "3 min 20 s". */
export function duration(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
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

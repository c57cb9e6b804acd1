/** Why a request to an upstream failed, as the API reports it. */
export const FAILURE_CAUSES = [
  "dns",
  "refused",
  "tls",
  "unauthorized",
  "server_error",
  "timeout",
  "invalid_response",
  "other",
] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** Why no connection could be opened. */
export type ConnectReason = "dns" | "refused" | "tls-expired" | "tls-name" | "tls-untrusted" | "tls-failed";

/** Part of failure messages. `causeOfFailure` recognizes them, because sync errors and the call log store only text. */
export const CONNECT_REASONS: Readonly<Record<ConnectReason, string>> = {
  dns: "DNS lookup failed",
  refused: "connection refused",
  "tls-expired": "TLS certificate expired",
  "tls-name": "TLS certificate does not match the host",
  "tls-untrusted": "TLS certificate not trusted",
  "tls-failed": "TLS handshake failed",
};

interface Failure {
  readonly cause: FailureCause;
  /** A short text for admins. */
  readonly text: string;
}

interface FailureContext {
  /** Completes the text of DNS failures. */
  readonly host?: string | undefined;
  /** The measured duration of a timeout. */
  readonly seconds?: number | undefined;
}

/** The cause of a failure with this public message. */
export function causeOfFailure(message: string, { host, seconds }: FailureContext = {}): Failure {
  return connectFailure(message, host) ?? statusFailure(message) ?? timeoutFailure(message, seconds) ?? other(message);
}

function connectFailure(message: string, host: string | undefined): Failure | undefined {
  const [reason, text = ""] = Object.entries(CONNECT_REASONS).find(([, each]) => message.includes(each)) ?? [];
  if (reason === undefined) return undefined;
  if (reason === "dns") return { cause: "dns", text: host === undefined ? text : `${text} for ${host}` };
  return { cause: reason === "refused" ? "refused" : "tls", text: capitalize(text) };
}

function statusFailure(message: string): Failure | undefined {
  const status = Number(/\bHTTP ([45]\d\d)\b/.exec(message)?.[1] ?? 0);
  if (status === 0) return undefined;
  if (status === 401) return { cause: "unauthorized", text: "401 Unauthorized" };
  if (status === 403) return { cause: "unauthorized", text: "403 Forbidden" };
  return { cause: status >= 500 ? "server_error" : "invalid_response", text: `HTTP ${status}` };
}

function timeoutFailure(message: string, measured: number | undefined): Failure | undefined {
  const seconds = /\bwithin ([\d.]+) s\b/.exec(message)?.[1] ?? measured;
  if (seconds !== undefined) return { cause: "timeout", text: `Timed out after ${seconds} s` };
  return /\bin time\b/.test(message) ? { cause: "timeout", text: "Timed out" } : undefined;
}

function other(message: string): Failure {
  const text = capitalize(message.replace(/^Server "[^"]*" /, ""));
  const isConnection = /\b(?:closed|could not be reached|exited before|not contacted)\b/i.test(message);
  const isResponse = /\b(?:response|event stream|MCP|lists?|session ID|redirects)\b/i.test(message);
  return { cause: isResponse && !isConnection ? "invalid_response" : "other", text };
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

import type { ConnectReason } from "#lib/failure-cause";
import { BadAnswer } from "./wire/bad-answer.ts";

/**
 * Why an outbound request failed. `message` is public: it names hosts and settings, never headers, bodies or stacks
 * (GW-22). The private error is in `cause`.
 */
export type EgressFailureKind =
  | "refused" // rejected by the rules for address, scheme, port or header
  | "connect" // unknown host, or connection refused
  | "tls" // no trusted TLS connection
  | "timeout" // connect, idle or total timeout (GW-11)
  | "reset" // the peer closed the connection before the response was complete
  | "protocol" // not a valid HTTP response
  | "encoding" // an unsupported content-encoding (GW-9)
  | "too-large" // larger than the limit, on the wire or decoded (GW-10)
  | "redirect" // a redirect that is not allowed (OA-7)
  | "cancelled" // by the caller
  | "closed"; // the service is shutting down

export class EgressFailure extends Error {
  readonly kind: EgressFailureKind;
  /** Whether no byte of the request can have been sent, so that it can safely be sent again (GW-14). */
  readonly nothingSent: boolean;
  /** For the kinds `connect` and `tls`. Undefined: any other reason. */
  readonly reason: ConnectReason | undefined;

  constructor(
    kind: EgressFailureKind,
    message: string,
    options: { cause?: unknown; nothingSent?: boolean; reason?: ConnectReason | undefined } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "EgressFailure";
    this.kind = kind;
    this.nothingSent = options.nothingSent ?? false;
    this.reason = options.reason;
  }
}

/** The rules forbid the request; nothing was sent. */
export class EgressRefused extends EgressFailure {
  /** No setting allows the address. */
  readonly never: boolean;

  constructor(message: string, { never = false } = {}) {
    super("refused", message, { nothingSent: true });
    this.name = "EgressRefused";
    this.never = never;
  }
}

const BY_CODE: Record<string, readonly [EgressFailureKind, string]> = {
  UND_ERR_HEADERS_TIMEOUT: ["timeout", "did not start its response in time"],
  UND_ERR_BODY_TIMEOUT: ["timeout", "stopped sending in the middle of its response"],
  UND_ERR_SOCKET: ["reset", "closed the connection before its response was complete"],
  ECONNRESET: ["reset", "closed the connection before its response was complete"],
  EPIPE: ["reset", "closed the connection before its response was complete"],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ["protocol", "sent a response whose length differs from its Content-Length"],
  UND_ERR_HEADERS_OVERFLOW: ["too-large", "sent headers that are too large"],
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ["too-large", "sent a response that is too large"],
  UND_ERR_INVALID_ARG: ["refused", "cannot be sent this request: its method, path or headers are not valid HTTP"],
  UND_ERR_ABORTED: ["cancelled", "did not respond: the request was cancelled"],
  ABORT_ERR: ["cancelled", "did not respond: the request was cancelled"],
  UND_ERR_DESTROYED: ["closed", "did not respond: the service is shutting down"],
  UND_ERR_CLOSED: ["closed", "did not respond: the service is shutting down"],
};

/**
 * Describes an error of undici or the socket after the connection was established. Existing failures are returned as
 * they are.
 */
export function toEgressFailure(error: unknown, host: string): EgressFailure {
  if (error instanceof EgressFailure) return error;
  if (error instanceof BadAnswer)
    return new EgressFailure(error.kind, `host "${host}" ${error.message}`, { cause: error });
  const [kind, words] = BY_CODE[codeOf(error)] ?? ["protocol", "sent something that is not a valid HTTP response"];
  return new EgressFailure(kind, `host "${host}" ${words}`, { cause: error, nothingSent: kind === "refused" });
}

/** Describes an error before the connection was established: name resolution, TCP or TLS. */
export function toConnectFailure(error: unknown, host: string, phase: "resolve" | "tcp" | "tls"): EgressFailure {
  if (error instanceof EgressFailure) return error;
  const options = { cause: error, nothingSent: true, reason: reasonOf(codeOf(error), phase) };
  if (phase === "resolve") return new EgressFailure("connect", `host "${host}" could not be resolved`, options);
  if (phase === "tcp") return new EgressFailure("connect", `host "${host}" does not accept connections`, options);
  return new EgressFailure(
    "tls",
    `host "${host}" did not present a trusted TLS certificate (${codeOf(error)})`,
    options,
  );
}

const CERTIFICATE_REASONS: Readonly<Record<string, ConnectReason>> = {
  CERT_HAS_EXPIRED: "tls-expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls-name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls-untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "tls-untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "tls-untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls-untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls-untrusted",
};

function reasonOf(code: string, phase: "resolve" | "tcp" | "tls"): ConnectReason | undefined {
  if (phase === "resolve") return "dns";
  if (phase === "tls") return CERTIFICATE_REASONS[code] ?? "tls-failed";
  return code === "ECONNREFUSED" ? "refused" : undefined;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown";
}

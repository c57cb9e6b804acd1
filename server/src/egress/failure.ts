import type { ConnectReason } from "#lib/failure-cause";
import { BadAnswer } from "./wire/bad-answer.ts";

/**
 * Why an outbound request came to nothing. `message` is public: it names hosts and settings, never headers, bodies or
 * stacks (GW-22); the private error is in `cause`.
 */
export type EgressFailureKind =
  | "refused" // our own rules: address, scheme, port, header
  | "connect" // no such host, or nobody listens
  | "tls" // no trusted TLS connection
  | "timeout" // connect, idle or total deadline (GW-11)
  | "reset" // the peer closed the connection before its answer was whole
  | "protocol" // not an HTTP answer
  | "encoding" // a content-encoding that we do not decode (GW-9)
  | "too-large" // beyond the byte cap, on the wire or decoded (GW-10)
  | "redirect" // a redirect that may not be followed (OA-7)
  | "cancelled" // by the caller
  | "closed"; // we are shutting down

export class EgressFailure extends Error {
  readonly kind: EgressFailureKind;
  /** True when not one byte of the request can have left, so that sending it again repeats nothing (GW-14). */
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

/** Our own rules forbid the request; nothing was sent. */
export class EgressRefused extends EgressFailure {
  constructor(message: string) {
    super("refused", message, { nothingSent: true });
    this.name = "EgressRefused";
  }
}

const BY_CODE: Record<string, readonly [EgressFailureKind, string]> = {
  UND_ERR_HEADERS_TIMEOUT: ["timeout", "did not start its answer in time"],
  UND_ERR_BODY_TIMEOUT: ["timeout", "stopped sending in the middle of its answer"],
  UND_ERR_SOCKET: ["reset", "closed the connection before its answer was complete"],
  ECONNRESET: ["reset", "closed the connection before its answer was complete"],
  EPIPE: ["reset", "closed the connection before its answer was complete"],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ["protocol", "sent an answer of another length than announced"],
  UND_ERR_HEADERS_OVERFLOW: ["too-large", "sent headers that are too large"],
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ["too-large", "sent an answer that is too large"],
  UND_ERR_INVALID_ARG: ["refused", "cannot be sent this request: its method, path or headers are not valid HTTP"],
  UND_ERR_ABORTED: ["cancelled", "was not waited for: the request was cancelled"],
  ABORT_ERR: ["cancelled", "was not waited for: the request was cancelled"],
  UND_ERR_DESTROYED: ["closed", "was not waited for: the service is shutting down"],
  UND_ERR_CLOSED: ["closed", "was not waited for: the service is shutting down"],
};

/** Words an error of undici or of the socket, once the connection stood. Failures of ours pass through. */
export function toEgressFailure(error: unknown, host: string): EgressFailure {
  if (error instanceof EgressFailure) return error;
  if (error instanceof BadAnswer)
    return new EgressFailure(error.kind, `host "${host}" ${error.message}`, { cause: error });
  const [kind, words] = BY_CODE[codeOf(error)] ?? ["protocol", "sent something that is not a valid HTTP answer"];
  return new EgressFailure(kind, `host "${host}" ${words}`, { cause: error, nothingSent: kind === "refused" });
}

/** Words an error from before the connection stood: name resolution, TCP, TLS. */
export function toConnectFailure(error: unknown, host: string, phase: "resolve" | "tcp" | "tls"): EgressFailure {
  if (error instanceof EgressFailure) return error;
  const options = { cause: error, nothingSent: true, reason: reasonOf(codeOf(error), phase) };
  if (phase === "resolve") return new EgressFailure("connect", `host "${host}" has no address`, options);
  if (phase === "tcp") return new EgressFailure("connect", `host "${host}" does not accept connections`, options);
  return new EgressFailure("tls", `host "${host}" did not prove its identity over TLS (${codeOf(error)})`, options);
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

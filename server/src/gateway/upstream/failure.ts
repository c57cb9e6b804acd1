import { type AnswerHeaders, EgressRefused, toEgressFailure } from "#egress/egress";
import { CONNECT_REASONS } from "#lib/failure-cause";

/** Why a call to an upstream failed; the call log and the caller's error use it. */
export type UpstreamFailureKind =
  | "unreachable" // no connection, or a broken one
  | "refused" // by our egress rules
  | "timeout"
  | "bad-answer" // a response that is not valid MCP
  | "too-large"
  | "status" // an HTTP status without a response
  | "unauthorized" // 401 or 403
  | "busy" // too many calls, paused after failures, or no memory for the response
  | "not-connected" // the user must connect, or connect again
  | "cancelled";

export interface UpstreamFailure {
  readonly kind: UpstreamFailureKind;
  /** Public: names the server by its slug and describes the cause, without URLs and upstream text (GW-22). */
  readonly message: string;
  /** The HTTP status, for the kinds `status` and `unauthorized`. */
  readonly status: number | undefined;
  /** The `WWW-Authenticate` header of an `unauthorized` response. */
  readonly challenge: string | undefined;
  /** True when the upstream may have executed the request, so it must not be sent again (GW-14). */
  readonly mayHaveRun: boolean;
}

/** A failure without the name of the server. Its message continues the sentence `Server "x" …`. */
export class UpstreamFault extends Error {
  readonly kind: UpstreamFailureKind;
  readonly status: number | undefined;
  readonly challenge: string | undefined;
  readonly nothingSent: boolean;

  constructor(
    kind: UpstreamFailureKind,
    message: string,
    options: { status?: number; challenge?: string | undefined; nothingSent?: boolean; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "UpstreamFault";
    this.kind = kind;
    this.status = options.status;
    this.challenge = options.challenge;
    this.nothingSent = options.nothingSent ?? false;
  }

  /** The same failure for a request that is known to have been sent or not. */
  of(request: { readonly sent: boolean }): UpstreamFault {
    if (request.sent !== this.nothingSent) return this;
    const { kind, message, status, challenge, cause } = this;
    return new UpstreamFault(kind, message, {
      ...(status === undefined ? {} : { status }),
      challenge,
      nothingSent: !request.sent,
      cause,
    });
  }

  describe(slug: string): UpstreamFailure {
    return {
      kind: this.kind,
      message: `Server "${slug}" ${this.message}`,
      status: this.status,
      challenge: this.challenge,
      mayHaveRun: !this.nothingSent,
    };
  }
}

/** Statuses that mean an unavailable upstream behind a proxy, or an overloaded server. */
const DOWN_STATUSES = new Set([502, 503, 504]);

/** Failures that the upstream did not cause. */
const NOT_BY_UPSTREAM: ReadonlySet<UpstreamFailureKind> = new Set(["cancelled", "refused", "busy", "not-connected"]);

/** Whether the failure means that the upstream is down. An upstream with invalid responses is up. */
export function healthSignalOf({ kind, status }: UpstreamFault): "up" | "down" | "none" {
  if (kind === "unreachable" || kind === "timeout") return "down";
  if (NOT_BY_UPSTREAM.has(kind)) return "none";
  return status !== undefined && DOWN_STATUSES.has(status) ? "down" : "up";
}

/** With the likely causes, because the status alone does not tell. */
const UNAUTHORIZED = {
  401: "requires a sign-in, or rejected the credential (HTTP 401)",
  403: "refused access (HTTP 403): the credential may lack permissions, or the server does not accept requests for its host name",
};

export function faultOfStatus(status: number, headers?: AnswerHeaders): UpstreamFault {
  if (status === 401 || status === 403) {
    const challenge = headers?.get("www-authenticate");
    return new UpstreamFault("unauthorized", UNAUTHORIZED[status], { status, challenge });
  }
  // Many servers redirect a URL without a trailing slash.
  const message = isRedirect(status)
    ? `redirects to another URL, which is not followed; change the server URL to the redirect target (HTTP ${status})`
    : `answered with HTTP ${status}`;
  return new UpstreamFault("status", message, { status });
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

const NOT_CONNECTED = {
  not_connected: "needs you to connect to it first",
  reconnect_needed: "no longer accepts your access; connect to it again",
  exchange_needed: "needs a valid token of its issuer; exchange one and call again",
} as const;

export function notConnectedFault(state: keyof typeof NOT_CONNECTED): UpstreamFault {
  return new UpstreamFault("not-connected", NOT_CONNECTED[state], { nothingSent: true });
}

const EGRESS_FAULTS: Readonly<Record<string, readonly [UpstreamFailureKind, string]>> = {
  refused: ["refused", "was not contacted: its address is not allowed; an operator can allow it with EGRESS_ALLOW"],
  connect: ["unreachable", "could not be reached"],
  tls: ["unreachable", "could not be reached"],
  timeout: ["timeout", "did not respond in time"],
  reset: ["unreachable", "closed the connection before its response was complete"],
  "too-large": ["too-large", "sent a response that is too large"],
  cancelled: ["cancelled", "did not respond: the request was cancelled"],
  closed: ["cancelled", "did not respond: the gateway is shutting down"],
};

/** Messages of egress name hosts: callers see only the slug, and the log gets `cause`. */
export function faultOfError(error: unknown): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  const failure = toEgressFailure(error, "upstream");
  if (failure instanceof EgressRefused && failure.never) {
    return new UpstreamFault("refused", "was not contacted: its address is never allowed", {
      nothingSent: true,
      cause: failure,
    });
  }
  const [kind, message] = EGRESS_FAULTS[failure.kind] ?? [
    "bad-answer",
    "sent something that is not a valid HTTP response",
  ];
  const reason = failure.reason === undefined ? "" : `: ${CONNECT_REASONS[failure.reason]}`;
  return new UpstreamFault(kind, `${message}${reason}`, { nothingSent: failure.nothingSent, cause: failure });
}

import { type AnswerHeaders, toEgressFailure } from "#egress/egress";

/** Why an upstream gave no answer; the call log and the caller's error are made from it. */
export type UpstreamFailureKind =
  | "unreachable" // no connection, or one that broke
  | "refused" // our own egress rules
  | "timeout"
  | "bad-answer" // an answer that is not what MCP asks for
  | "too-large"
  | "status" // an HTTP status that is no answer
  | "unauthorized" // 401 or 403
  | "busy" // ours to say: it has too much to do, or has failed too often to be asked
  | "not-connected" // only the user can help: by connecting, or by connecting again
  | "cancelled";

export interface UpstreamFailure {
  readonly kind: UpstreamFailureKind;
  /** Public: names the server by its slug and the cause in words; no address, no upstream text (GW-22). */
  readonly message: string;
  /** The HTTP status, for the kinds `status` and `unauthorized`. */
  readonly status: number | undefined;
  /** What an `unauthorized` answer says in `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  /** True when the upstream may have carried out the request, so that nobody may send it again (GW-14). */
  readonly mayHaveRun: boolean;
}

/** A failure before it is told whose it is. Its message continues the sentence `server "x" …`. */
export class UpstreamFault extends Error {
  readonly kind: UpstreamFailureKind;
  readonly status: number | undefined;
  readonly challenge: string | undefined;
  readonly nothingSent: boolean;

  constructor(
    kind: UpstreamFailureKind,
    words: string,
    options: { status?: number; challenge?: string | undefined; nothingSent?: boolean; cause?: unknown } = {},
  ) {
    super(words, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "UpstreamFault";
    this.kind = kind;
    this.status = options.status;
    this.challenge = options.challenge;
    this.nothingSent = options.nothingSent ?? false;
  }

  /** The same failure, seen from a request of which it is known whether it left. */
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

/** Statuses by which proxies say that nobody is behind them, or servers that they can do no more. */
const DOWN_STATUSES = new Set([502, 503, 504]);

/** Failures in which the upstream had no part. */
const OURS: ReadonlySet<UpstreamFailureKind> = new Set(["cancelled", "refused", "busy", "not-connected"]);

/** Whether it says that the upstream is down; one that answers with nonsense is there. */
export function healthSignalOf({ kind, status }: UpstreamFault): "up" | "down" | "none" {
  if (kind === "unreachable" || kind === "timeout") return "down";
  if (OURS.has(kind)) return "none";
  return status !== undefined && DOWN_STATUSES.has(status) ? "down" : "up";
}

export function faultOfStatus(status: number, headers?: AnswerHeaders): UpstreamFault {
  if (status === 401 || status === 403) {
    const challenge = headers?.get("www-authenticate");
    return new UpstreamFault("unauthorized", `did not accept our credentials (HTTP ${status})`, { status, challenge });
  }
  // Many servers send all that comes without a slash at the end there.
  const words = isRedirect(status)
    ? `redirects to another address, which is not followed: its URL must be where that leads (HTTP ${status})`
    : `answered with HTTP ${status}`;
  return new UpstreamFault("status", words, { status });
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

export function notConnectedFault(state: "not_connected" | "reconnect_needed"): UpstreamFault {
  const words =
    state === "not_connected"
      ? "needs you to connect to it first"
      : "no longer accepts your access; connect to it again";
  return new UpstreamFault("not-connected", words, { nothingSent: true });
}

const WORDS: Readonly<Record<string, readonly [UpstreamFailureKind, string]>> = {
  refused: ["refused", "was not contacted: its address is not allowed; an operator can allow it with EGRESS_ALLOW"],
  connect: ["unreachable", "could not be reached"],
  tls: ["unreachable", "could not be reached over a trusted TLS connection"],
  timeout: ["timeout", "did not answer in time"],
  reset: ["unreachable", "closed the connection before its answer was complete"],
  "too-large": ["too-large", "sent an answer that is too large"],
  cancelled: ["cancelled", "was not waited for: the request was cancelled"],
  closed: ["cancelled", "was not waited for: the gateway is shutting down"],
};

/** Egress words name hosts; callers hear of the slug alone, and the words for the log stay in `cause`. */
export function faultOfError(error: unknown): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  const failure = toEgressFailure(error, "upstream");
  const [kind, words] = WORDS[failure.kind] ?? ["bad-answer", "sent something that is not a valid HTTP answer"];
  return new UpstreamFault(kind, words, { nothingSent: failure.nothingSent, cause: failure });
}

/**
 * A call to a server that needs a credential of each user. Sends it with the caller's credential, and once more when the
 * credential was refused and could be renewed: after a 401 nothing was executed (GW-14).
 */
import type {
  UpstreamError,
  UpstreamNotification,
  UpstreamRequest,
  UpstreamResult,
} from "../../envelope/read-response.ts";
import type { CredentialState, UpstreamCredential, UpstreamCredentials } from "../../ports.ts";
import type { UpstreamAddress } from "../../session-ports.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import { notConnectedFault, type UpstreamFailure, UpstreamFault } from "../failure.ts";
import type { ResponseLease } from "../limits/response-memory.ts";
import type { UpstreamCallHandle, UpstreamSink } from "./sink.ts";

export type SendAuthorized = (credential: UpstreamCredential, sink: UpstreamSink) => UpstreamCallHandle;

export class AuthorizedCall implements UpstreamSink, UpstreamCallHandle {
  readonly #credentials: UpstreamCredentials;
  readonly #server: ServerEntry;
  readonly #userId: string;
  readonly #sink: UpstreamSink;
  readonly #send: SendAuthorized;
  #credential: UpstreamCredential | undefined;
  #attempts = 0;
  #inner: UpstreamCallHandle | undefined;
  #cancelled = false;

  constructor(
    credentials: UpstreamCredentials,
    server: ServerEntry,
    userId: string,
    sink: UpstreamSink,
    send: SendAuthorized,
  ) {
    this.#credentials = credentials;
    this.#server = server;
    this.#userId = userId;
    this.#sink = sink;
    this.#send = send;
  }

  get memory(): ResponseLease {
    return this.#sink.memory;
  }

  start(): void {
    const found = this.#credentials.of(this.#server, this.#userId);
    if (found instanceof Promise) this.#whenFound(found);
    else this.#sendAs(found);
  }

  cancel(): void {
    this.#cancelled = true;
    this.#inner?.cancel();
  }

  pause(): void {
    this.#inner?.pause();
  }

  resume(): void {
    this.#inner?.resume();
  }

  notification(message: UpstreamNotification): void {
    this.#sink.notification(message);
  }

  question(message: UpstreamRequest, from: UpstreamAddress): boolean {
    return this.#sink.question(message, from);
  }

  waiting(now: number): void {
    this.#sink.waiting?.(now);
  }

  deferred(retryMs: number): void {
    this.#sink.deferred?.(retryMs);
  }

  response(message: UpstreamResult | UpstreamError): void {
    this.#sink.response(message);
  }

  failed(failure: UpstreamFailure): void {
    if (failure.kind !== "unauthorized" || !this.#credential) return this.#sink.failed(failure);
    const [server, userId] = [this.#server, this.#userId];
    if (failure.status === 401) {
      return this.#whenFound(this.#credentials.refused(server, userId, this.#credential, this.#attempts > 1), failure);
    }
    const { challenge } = failure;
    if (challenge === undefined || !/insufficient_scope/i.test(challenge)) return this.#sink.failed(failure);
    // The missing scope is recorded first, because the user may connect again immediately.
    const fail = () => this.#cancelled || this.#sink.failed(LACKS_SCOPE.describe(server.slug));
    this.#credentials.lacksScope(server, userId, challenge).then(fail, fail);
  }

  #whenFound(found: Promise<CredentialState>, failure?: UpstreamFailure): void {
    found.then(
      (state) => {
        if (this.#cancelled) return;
        if (failure && typeof state === "object" && this.#attempts > 1) this.#sink.failed(failure);
        else this.#sendAs(state);
      },
      () => this.#cancelled || this.#sink.failed(UNKNOWN.describe(this.#server.slug)),
    );
  }

  #sendAs(state: CredentialState): void {
    if (typeof state === "string") return this.#sink.failed(notConnectedFault(state).describe(this.#server.slug));
    this.#credential = state;
    this.#attempts++;
    this.#inner = this.#send(state, this);
  }
}

const LACKS_SCOPE = new UpstreamFault(
  "not-connected",
  "requires scopes that you have not granted; connect to it again",
  {
    nothingSent: true,
  },
);
const UNKNOWN = new UpstreamFault(
  "unreachable",
  "was not called: your connection to it cannot be read now; try again",
  {
    nothingSent: true,
  },
);

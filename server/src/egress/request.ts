import type { Dispatcher, Pool } from "undici";
import { ChunkList } from "#lib/chunk-list";
import type { Clock } from "#lib/clock";
import type { AllowList } from "./address-rules.ts";
import { decodeBody, type Encoding, readEncoding, tooLarge } from "./decode-body.ts";
import { EgressFailure, toEgressFailure } from "./failure.ts";
import { outboundHeaders, reachableUrl } from "./request-rules.ts";

export interface EgressRequest {
  method: string;
  url: string | URL;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** Maximum size of the response, on the wire and decoded. */
  maxBytes: number;
  /** A longer response is cut at `maxBytes` instead of rejected. Its body is not decoded. */
  cutsBody?: boolean;
  timeouts?: { idleMs?: number; totalMs?: number };
  /** How many redirects of a GET are followed; 0 by default, at most 3 (OA-7). */
  followRedirects?: number;
}

export interface EgressResponse {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  /** The URL that responded, which differs from the requested one only after redirects. */
  url: string;
}

interface Parts {
  pool: (origin: string) => Pool;
  allow: AllowList;
  clock: Clock;
  limits: { idleTimeoutMs: number; totalTimeoutMs: number };
}

interface Hop {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

interface Bounds {
  maxBytes: number;
  cutsBody: boolean;
  idleMs: number;
  /** Aborts with the `EgressFailure` that describes the reason: canceled by the caller, or the total timeout. */
  stop: AbortSignal;
}

const MAX_REDIRECTS = 3;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** The only headers sent to another origin after a redirect. An allowlist, because credentials can be in any header. */
const HEADERS_FOR_ANOTHER_ORIGIN = [
  "accept",
  "accept-encoding",
  "accept-language",
  "mcp-protocol-version",
  "user-agent",
];

export function createRequest(parts: Parts): (request: EgressRequest) => Promise<EgressResponse> {
  return async (request) => {
    const url = reachableUrl(request.url, parts.allow);
    const headers = outboundHeaders(request.headers ?? {});
    const totalMs = request.timeouts?.totalMs ?? parts.limits.totalTimeoutMs;
    const stop = new AbortController();
    const cancel = () => stop.abort(new EgressFailure("cancelled", "the request was cancelled"));
    const timer = parts.clock.after(totalMs, () =>
      stop.abort(new EgressFailure("timeout", `host "${url.host}" did not respond within ${totalMs / 1000} s`)),
    );
    request.signal?.addEventListener("abort", cancel, { once: true });
    if (request.signal?.aborted) cancel();
    const bounds = {
      maxBytes: request.maxBytes,
      cutsBody: request.cutsBody ?? false,
      idleMs: request.timeouts?.idleMs ?? parts.limits.idleTimeoutMs,
      stop: stop.signal,
    };
    const hop = { method: request.method.toUpperCase(), url, headers, body: request.body ?? null };
    try {
      return await follow(parts, hop, bounds, Math.min(request.followRedirects ?? 0, MAX_REDIRECTS));
    } finally {
      timer.cancel();
      request.signal?.removeEventListener("abort", cancel);
    }
  };
}

async function follow(parts: Parts, first: Hop, bounds: Bounds, redirects: number): Promise<EgressResponse> {
  const limit = first.method === "GET" ? redirects : 0;
  let hop = first;
  for (let followed = 0; ; followed++) {
    const response = await exchange(parts.pool(hop.url.origin), hop, bounds);
    const { location } = response.headers;
    if (limit === 0 || !REDIRECT_STATUSES.has(response.status) || typeof location !== "string") return response;
    if (followed === limit) {
      throw new EgressFailure("redirect", `host "${first.url.host}" redirects more than ${limit} times`);
    }
    hop = nextHop(hop, location, parts.allow);
  }
}

function nextHop(hop: Hop, location: string, allow: AllowList): Hop {
  const target = URL.parse(location, hop.url.href);
  if (!target) throw new EgressFailure("redirect", `host "${hop.url.host}" redirects to an invalid URL`);
  const url = reachableUrl(target, allow);
  if (hop.url.protocol === "https:" && url.protocol === "http:") {
    throw new EgressFailure("redirect", `host "${hop.url.host}" redirects from https to http`);
  }
  return { ...hop, url, headers: url.origin === hop.url.origin ? hop.headers : harmless(hop.headers) };
}

function harmless(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    HEADERS_FOR_ANOTHER_ORIGIN.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

async function exchange(pool: Pool, hop: Hop, bounds: Bounds): Promise<EgressResponse> {
  const host = hop.url.host;
  const answer = await new Promise<Collected>((resolve, reject) => {
    if (bounds.stop.aborted) return reject(bounds.stop.reason);
    const collector = new Collector(hop.method, host, bounds, resolve, reject);
    pool.dispatch(
      {
        method: hop.method,
        path: hop.url.pathname + hop.url.search,
        headers: hop.headers,
        body: hop.body,
        headersTimeout: bounds.idleMs,
        bodyTimeout: bounds.idleMs,
      },
      collector,
    );
  });
  const body = await decodeBody(answer.body, answer.encoding, bounds.maxBytes, host);
  return { status: answer.status, headers: answer.headers, body, url: hop.url.href };
}

interface Collected {
  status: number;
  headers: EgressResponse["headers"];
  encoding: Encoding;
  body: Buffer;
}

/** Collects a response and fails as soon as it exceeds a limit. */
class Collector implements Dispatcher.DispatchHandler {
  readonly #method: string;
  readonly #host: string;
  readonly #bounds: Bounds;
  readonly #resolve: (answer: Collected) => void;
  readonly #reject: (failure: EgressFailure) => void;
  readonly #body = new ChunkList();
  #answer: Omit<Collected, "body"> = { status: 0, headers: {}, encoding: "identity" };
  #stopListener: (() => void) | undefined;

  constructor(
    method: string,
    host: string,
    bounds: Bounds,
    resolve: (answer: Collected) => void,
    reject: (failure: EgressFailure) => void,
  ) {
    this.#method = method;
    this.#host = host;
    this.#bounds = bounds;
    this.#resolve = resolve;
    this.#reject = reject;
    // Also before the request has a connection, when there is no controller to abort.
    this.#stopListener = () => this.#fail(bounds.stop.reason);
    bounds.stop.addEventListener("abort", this.#stopListener, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { stop } = this.#bounds;
    if (stop.aborted) return controller.abort(stop.reason);
    stop.addEventListener("abort", () => controller.abort(stop.reason), { once: true });
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: EgressResponse["headers"]): void {
    if (status < 200) return;
    // A body that may be cut is neither measured nor decoded.
    const bodyless = this.#method === "HEAD" || status === 204 || status === 304 || this.#bounds.cutsBody;
    try {
      const encoding = bodyless ? "identity" : readEncoding(headers["content-encoding"], this.#host);
      if (!bodyless && Number(headers["content-length"]) > this.#bounds.maxBytes) {
        throw tooLarge(this.#bounds.maxBytes, this.#host);
      }
      this.#answer = { status, headers, encoding };
    } catch (error) {
      controller.abort(toEgressFailure(error, this.#host));
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body.push(chunk);
    if (!this.#body.exceeds(this.#bounds.maxBytes)) return;
    if (this.#bounds.cutsBody) this.onResponseEnd();
    controller.abort(tooLarge(this.#bounds.maxBytes, this.#host));
  }

  onResponseEnd(): void {
    this.#forget();
    this.#resolve({ ...this.#answer, body: this.#body.toBuffer().subarray(0, this.#bounds.maxBytes) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#forget();
    this.#reject(toEgressFailure(error, this.#host));
  }

  #forget(): void {
    if (this.#stopListener) this.#bounds.stop.removeEventListener("abort", this.#stopListener);
  }
}

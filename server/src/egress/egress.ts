/** The one outbound HTTP client: every request that leaves the service goes through here (OA-6). */

import { Pool } from "undici";
import { type Clock, systemClock } from "#lib/clock";
import type { AllowList } from "./address-rules.ts";
import { createConnector, createSystemResolve, type Resolve } from "./connector.ts";
import { createFetch, type EgressFetch } from "./fetch.ts";
import { OriginPools } from "./origin-pools.ts";
import { createRequest, type EgressRequest, type EgressResponse } from "./request.ts";
import { reachableUrl } from "./request-rules.ts";

export { type AllowList, LOOPBACK_ALLOW, parseAllowList } from "./address-rules.ts";
export type { Resolve, ResolvedAddress } from "./connector.ts";
export { EgressFailure, type EgressFailureKind, EgressRefused, toEgressFailure } from "./failure.ts";
export type { EgressFetch } from "./fetch.ts";
export type { EgressRequest, EgressResponse } from "./request.ts";

export interface EgressLimits {
  /** Name resolution, TCP and TLS together. */
  connectTimeoutMs: number;
  /** Silence of the peer: before its answer, and between two pieces of it. */
  idleTimeoutMs: number;
  /** One `request`, redirects included. `dispatch` on a pool has no total: its caller holds that timer. */
  totalTimeoutMs: number;
  connectionsPerOrigin: number;
  maxOrigins: number;
  /** An origin nobody asked for in this time loses its pool. */
  originIdleMs: number;
  /** Cap of an answer through `fetch`. */
  fetchMaxBytes: number;
}

const DEFAULT_LIMITS: EgressLimits = {
  connectTimeoutMs: 5_000,
  idleTimeoutMs: 60_000,
  totalTimeoutMs: 15 * 60_000,
  connectionsPerOrigin: 256,
  maxOrigins: 2_000,
  originIdleMs: 5 * 60_000,
  fetchMaxBytes: 1024 * 1024,
};

export interface EgressOptions {
  allow: AllowList;
  resolve?: Resolve;
  clock?: Clock;
  limits?: Partial<EgressLimits>;
}

export interface Egress {
  /**
   * The pool of `scheme://host[:port]`, for `dispatch` in the same turn: ask again for each request rather than keep
   * it, because a pool that nobody asks for is closed. It decodes nothing and follows nothing. Connection failures
   * arrive as `EgressFailure`; `toEgressFailure` words the others.
   */
  pool(origin: string): Pool;
  /** One whole exchange, bounded in bytes and time. Rejects with `EgressFailure` only. */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** For libraries that want a `fetch`. Never follows a redirect. */
  fetch: EgressFetch;
  /** For a URL that is being saved: scheme, port, user info and literal addresses; names are not resolved. */
  assertReachableUrl(url: string): URL;
  close(): Promise<void>;
}

export function createEgress(options: EgressOptions): Egress {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const clock = options.clock ?? systemClock;
  const connectorOptions = {
    allow: options.allow,
    resolve: options.resolve ?? createSystemResolve(),
    clock,
    connectTimeoutMs: limits.connectTimeoutMs,
  };
  const pools = new OriginPools({
    clock,
    maxOrigins: limits.maxOrigins,
    idleMs: limits.originIdleMs,
    make: (origin) =>
      new Pool(reachableUrl(origin, options.allow).origin, {
        connect: createConnector(connectorOptions),
        connections: limits.connectionsPerOrigin,
        pipelining: 1,
        allowH2: false,
        headersTimeout: limits.idleTimeoutMs,
        bodyTimeout: limits.idleTimeoutMs,
        // Many servers close idle connections after 5 s without saying so, and a call is never sent twice (GW-14).
        keepAliveTimeout: 4_000,
      }),
  });
  const request = createRequest({ pool: (origin) => pools.get(origin), allow: options.allow, clock, limits });
  return {
    pool: (origin) => pools.get(origin),
    request,
    fetch: createFetch(request, limits.fetchMaxBytes),
    assertReachableUrl: (url) => reachableUrl(url, options.allow),
    close: () => pools.close(),
  };
}

/** The one outbound HTTP client: every request that leaves the service goes through here (OA-6). */

import { Pool } from "undici";
import { type Clock, systemClock } from "#lib/clock";
import type { AllowList } from "./address-rules.ts";
import { createConnector, createSystemResolve, type Resolve } from "./connector.ts";
import { createFetch, type EgressFetch } from "./fetch.ts";
import { type OriginPool, OriginPools } from "./origin-pools.ts";
import { createRequest, type EgressRequest, type EgressResponse } from "./request.ts";
import { reachableUrl } from "./request-rules.ts";
import { KEEP_ALIVE_MS, Wire } from "./wire/wire.ts";

export { type AllowList, LOOPBACK_ALLOW, parseAllowList } from "./address-rules.ts";
export type { Resolve, ResolvedAddress } from "./connector.ts";
export { EgressFailure, type EgressFailureKind, EgressRefused, toEgressFailure } from "./failure.ts";
export type { EgressFetch } from "./fetch.ts";
export type { EgressRequest, EgressResponse } from "./request.ts";
export type { AnswerHead, AnswerHeaders, Wire, WireControl, WireHandler, WireMessage } from "./wire/wire.ts";

export interface EgressLimits {
  /** Name resolution, TCP and TLS together. */
  connectTimeoutMs: number;
  /** Silence of the peer: before its answer, and between two pieces of it. */
  idleTimeoutMs: number;
  /** One `request`, redirects included. `send` on a wire has no total: its caller holds that timer. */
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
  /** Told when a connection is forbidden by our own rules, for metrics. */
  refused?: () => void;
  limits?: Partial<EgressLimits>;
}

export interface Egress {
  /**
   * The connections to `scheme://host[:port]`, for tool calls: ask again for each request rather than keep it, because
   * a wire that nobody asks for is closed. It decodes nothing and follows nothing. Connection failures arrive as
   * `EgressFailure`; `toEgressFailure` words the others.
   */
  wire(origin: string): Wire;
  /** One whole exchange, bounded in bytes and time. Rejects with `EgressFailure` only. */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** For libraries that want a `fetch`. Never follows a redirect. */
  fetch: EgressFetch;
  /** For a URL that is being saved: scheme, port, user info and literal addresses; names are not resolved. */
  assertReachableUrl(url: string): URL;
  close(): void;
}

export function createEgress(options: EgressOptions): Egress {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const clock = options.clock ?? systemClock;
  const connectorOptions = {
    allow: options.allow,
    resolve: options.resolve ?? createSystemResolve(),
    clock,
    connectTimeoutMs: limits.connectTimeoutMs,
    refused: options.refused,
  };
  const bounds = { clock, maxOrigins: limits.maxOrigins, idleMs: limits.originIdleMs };
  const pools = new OriginPools<UndiciPool>({
    ...bounds,
    make: (origin) =>
      new UndiciPool(reachableUrl(origin, options.allow).origin, {
        connect: createConnector(connectorOptions),
        connections: limits.connectionsPerOrigin,
        pipelining: 1,
        allowH2: false,
        headersTimeout: limits.idleTimeoutMs,
        bodyTimeout: limits.idleTimeoutMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
      }),
  });
  const wires = new OriginPools<Wire>({
    ...bounds,
    make: (origin) =>
      new Wire({
        url: reachableUrl(origin, options.allow),
        connect: createConnector(connectorOptions),
        clock,
        maxConnections: limits.connectionsPerOrigin,
      }),
  });
  const request = createRequest({ pool: (origin) => pools.get(origin).pool, allow: options.allow, clock, limits });
  return {
    wire: (origin) => wires.get(origin),
    request,
    fetch: createFetch(request, limits.fetchMaxBytes),
    assertReachableUrl: (url) => reachableUrl(url, options.allow),
    close() {
      pools.close();
      wires.close();
    },
  };
}

class UndiciPool implements OriginPool {
  readonly pool: Pool;

  constructor(origin: string, options: Pool.Options) {
    this.pool = new Pool(origin, options);
  }

  get load(): number {
    return this.pool.stats.size;
  }

  close(): void {
    this.pool.close().catch(() => this.destroy());
  }

  destroy(): void {
    void this.pool.destroy();
  }
}

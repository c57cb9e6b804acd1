/** The outbound HTTP client: every request that leaves the service goes through it (OA-6). */

import { Pool } from "undici";
import { type Clock, systemClock } from "#lib/clock";
import { ReadPacer } from "#lib/read-pacer";
import type { AllowList } from "./address-rules.ts";
import { createConnector, createSystemResolve, type Resolve } from "./connector.ts";
import { createFetch, type EgressFetch } from "./fetch.ts";
import { createOpenSocket, type OpenSocket } from "./open-socket.ts";
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
  /** Covers name resolution, TCP and TLS. */
  connectTimeoutMs: number;
  /** Maximum wait for the start of the response, and between two chunks of it. */
  idleTimeoutMs: number;
  /** For one `request`, including redirects. `send` on a wire has no total timeout; its caller sets one. */
  totalTimeoutMs: number;
  connectionsPerOrigin: number;
  maxOrigins: number;
  /** The pool of an origin is closed after this time without requests. */
  originIdleMs: number;
  /** Maximum response size of `fetch`. */
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
  /** Called when the address rules reject a connection, for metrics. */
  refused?: () => void;
  limits?: Partial<EgressLimits>;
}

export interface Egress {
  /** Shares the event loop between the origins. */
  readonly pacer: ReadPacer;
  /**
   * The connections to `scheme://host[:port]`, for tool calls. Get the wire again for each request, because unused
   * wires are closed. It does not decode or follow redirects. Connection failures are `EgressFailure`s; convert others
   * with `toEgressFailure`.
   */
  wire(origin: string): Wire;
  /** One complete exchange with limits on size and time. Rejects only with `EgressFailure`. */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** For libraries that need a `fetch`. Never follows redirects. */
  fetch: EgressFetch;
  /** For other protocols than HTTP. Rejects only with `EgressFailure`. */
  openSocket: OpenSocket;
  /** Validates a URL before it is saved: scheme, port, user info and literal addresses; names are not resolved. */
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
  const pacer = new ReadPacer(clock);
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
        lane: pacer.lane(),
        maxConnections: limits.connectionsPerOrigin,
      }),
  });
  const request = createRequest({ pool: (origin) => pools.get(origin).pool, allow: options.allow, clock, limits });
  return {
    pacer,
    wire: (origin) => wires.get(origin),
    request,
    fetch: createFetch(request, limits.fetchMaxBytes),
    openSocket: createOpenSocket(connectorOptions),
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

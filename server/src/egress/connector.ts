/**
 * Opens sockets for undici. It resolves the name, checks every address, and connects to exactly those addresses, so
 * that a rebinding name gets no second resolution (OA-6). A `lookup` hook would not be enough, because it is not called
 * for literal addresses.
 */
import { lookup as systemLookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import type { Clock } from "#lib/clock";
import { SingleFlight } from "#lib/single-flight";
import { type AllowList, assertHostname, checkAddress, refusal } from "./address-rules.ts";
import { EgressFailure, toConnectFailure } from "./failure.ts";

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The system resolver. Concurrent connections to one name share a lookup, because each lookup occupies a thread. */
export function createSystemResolve(): Resolve {
  const flights = new SingleFlight<readonly ResolvedAddress[]>();
  return (hostname) => flights.run(hostname, () => systemLookup(hostname, { all: true }));
}

export interface ConnectorOptions {
  allow: AllowList;
  resolve: Resolve;
  clock: Clock;
  connectTimeoutMs: number;
  /** Called when the address rules reject a connection. */
  refused?: (() => void) | undefined;
}

/** How long each of several addresses is tried, so that a dead IPv6 route does not use up the timeout. */
const ATTEMPT_TIMEOUT_MS = 500;

export function createConnector(options: ConnectorOptions): buildConnector.connector {
  let session: Buffer | undefined;
  return (target, callback) => {
    const { hostname } = target;
    const port = Number(target.port) || (target.protocol === "https:" ? 443 : 80);
    let socket: Socket | undefined;
    let settled = false;
    const settle = (outcome: Socket | EgressFailure) => {
      if (settled) return;
      settled = true;
      timer.cancel();
      if (!(outcome instanceof EgressFailure)) return callback(null, outcome);
      socket?.destroy();
      if (outcome.kind === "refused") options.refused?.();
      callback(outcome, null);
    };
    const timer = options.clock.after(options.connectTimeoutMs, () => settle(connectTimeout(hostname, options)));
    checkedAddresses(hostname, options)
      .then((addresses) => {
        if (settled) return;
        const secure = target.protocol === "https:";
        socket = secure
          ? openTls(hostname, port, addresses, session, (fresh) => (session = fresh))
          : connectTcp(socketOptions(hostname, port, addresses));
        watch(socket, hostname, secure, settle);
      })
      .catch((error: unknown) => settle(toConnectFailure(error, hostname, "resolve")));
  };
}

async function checkedAddresses(hostname: string, options: ConnectorOptions): Promise<readonly ResolvedAddress[]> {
  assertHostname(hostname);
  const family = isIP(hostname);
  const addresses = family === 0 ? await options.resolve(hostname) : [{ address: hostname, family }];
  // One forbidden address rejects the name: legitimate names do not mix public and private addresses.
  for (const { address } of addresses) {
    const verdict = checkAddress(address, hostname, options.allow);
    if (!verdict.allowed) throw refusal(address, hostname, verdict);
  }
  if (addresses.length === 0) throw toConnectFailure(undefined, hostname, "resolve");
  return addresses;
}

function openTls(
  hostname: string,
  port: number,
  addresses: readonly ResolvedAddress[],
  session: Buffer | undefined,
  keepSession: (session: Buffer) => void,
): TLSSocket {
  const socket = connectTls({
    ...socketOptions(hostname, port, addresses),
    // The certificate must match the origin's host name, regardless of the request's Host header.
    ...(isIP(hostname) === 0 ? { servername: hostname.replace(/\.$/, "") } : {}),
    ...(session ? { session } : {}),
    ALPNProtocols: ["http/1.1"],
  });
  socket.on("session", keepSession);
  return socket;
}

function socketOptions(hostname: string, port: number, addresses: readonly ResolvedAddress[]) {
  return {
    host: hostname,
    port,
    lookup: only(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  };
}

/**
 * A replacement for the resolver that returns the checked addresses, so that Node can fall back from one to the next.
 */
function only(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, lookupOptions, callback) => {
    const [first] = addresses;
    if (lookupOptions.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

function watch(
  socket: Socket,
  hostname: string,
  secure: boolean,
  settle: (outcome: Socket | EgressFailure) => void,
): void {
  let phase: "tcp" | "tls" = "tcp";
  socket.once("connect", () => {
    phase = "tls";
  });
  socket.once(secure ? "secureConnect" : "connect", () => settle(socket));
  // Stays for the lifetime of the socket, as undici expects; after settling it does nothing.
  socket.on("error", (error) => settle(toConnectFailure(error, hostname, phase)));
  socket.once("close", () => settle(toConnectFailure(new Error("closed"), hostname, phase)));
}

function connectTimeout(hostname: string, options: ConnectorOptions): EgressFailure {
  const seconds = options.connectTimeoutMs / 1000;
  return new EgressFailure("timeout", `host "${hostname}" did not accept a connection within ${seconds} s`, {
    nothingSent: true,
  });
}

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createAddressList } from "#lib/address-list";
import type { ClosedConnections } from "#lib/closed-connections";
import { networkOf } from "#lib/network-of";

export interface ConnectionLimit {
  /** Open connections from one IPv4 address or IPv6 network; 0 means no limit. */
  readonly perAddress: number;
  /** Addresses or CIDRs without a limit: a proxy opens connections for many callers. */
  readonly exempt: readonly string[];
}

/** A proxy on the same machine connects from loopback and often is not configured as a trusted proxy. */
const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/**
 * Closes new connections from an address that has too many. A connection holds memory before its request has a
 * credential, so one stranger must not be able to open all that the process has room for (GW-5).
 */
export function limitConnections(
  server: Server,
  { perAddress, exempt }: ConnectionLimit,
  closed: Pick<ClosedConnections, "add">,
): void {
  if (perAddress === 0) return;
  const isExempt = createAddressList([...LOOPBACK, ...exempt]);
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isExempt(address)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= perAddress) {
      closed.add("limit", address);
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

import type { ServerResponse } from "node:http";
import type { ClosedConnections } from "./closed-connections.ts";

/**
 * How long a caller may read nothing of a response that waits for it. Node notices it after up to twice as long, because it
 * counts what the kernel has accepted as read.
 */
const MAX_STALL_MS = 60_000;

/** GW-10: a caller that stops reading must not hold the memory of its response. */
export function disconnectStalledReader(response: ServerResponse, closed: Pick<ClosedConnections, "add">): void {
  response.setTimeout(MAX_STALL_MS, () => {
    const { socket, writableLength } = response;
    if (writableLength === 0) return;
    closed.add("unread", socket?.remoteAddress);
    // The kernel would keep what is left for minutes if the connection ended normally. Workers forward over a Unix socket.
    if (socket?.localPort === undefined) response.destroy();
    else socket.resetAndDestroy();
  });
}

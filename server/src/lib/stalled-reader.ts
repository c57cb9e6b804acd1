import type { ServerResponse } from "node:http";
import type { ClosedConnections } from "./closed-connections.ts";

/** How long a caller may read nothing of a response that waits for it. */
const MAX_STALL_MS = 60_000;

/** GW-10: a caller that stops reading must not hold the memory of its response. */
export function disconnectStalledReader(response: ServerResponse, closed: Pick<ClosedConnections, "add">): void {
  response.setTimeout(MAX_STALL_MS, () => {
    if (response.writableLength === 0) return;
    closed.add("unread", response.socket?.remoteAddress);
    response.destroy();
  });
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ClosedConnections } from "#lib/closed-connections";

/** Most clients never send a request before the response to the last one. */
const MAX_WAITING = 8;

/**
 * Returns whether to handle a request. A response behind others on its connection waits in memory until they have been
 * read, and one packet contains hundreds of requests, so a connection with too many of them is closed (GW-10).
 */
export function createPipeliningLimit(
  closed: Pick<ClosedConnections, "add">,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const waitingOn = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node connects only the response that is sent next.
    if (response.socket !== null) return true;
    const { socket } = request;
    if (socket.destroyed) return false;
    const waiting = waitingOn.get(socket) ?? 0;
    if (waiting === MAX_WAITING) {
      closed.add("pipelined", socket.remoteAddress);
      socket.destroy();
      return false;
    }
    waitingOn.set(socket, waiting + 1);
    response.once("close", () => waitingOn.set(socket, (waitingOn.get(socket) ?? 1) - 1));
    return true;
  };
}

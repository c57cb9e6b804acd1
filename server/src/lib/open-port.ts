import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { BadSetting } from "./bad-setting.ts";

/** The open connections of each listener. */
const connections = new WeakMap<Server, Set<Socket>>();

export async function openPort(
  listener: Server,
  { host, port }: { readonly host: string; readonly port: number },
  settings = "HOST, PORT",
): Promise<number> {
  const open = new Set<Socket>();
  connections.set(listener, open);
  listener.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  listener.listen(port, host);
  await once(listener, "listening").catch((error: Error) => {
    throw new BadSetting(`${settings}: ${error.message}`);
  });
  return (listener.address() as AddressInfo).port; // a TCP listener's address is never a path
}

const DRAIN_TIMEOUT_MS = 30_000;
const CLOSE_DELAY_MS = 1_000;
const IDLE_CHECK_MS = 100;

/**
 * OPS-1: lets running requests finish and closes idle connections. After 30 s `giveUp` answers the remaining requests,
 * and shortly afterwards all connections are closed.
 */
export async function closePort(listener: Server, giveUp: () => Promise<void>): Promise<void> {
  if (!listener.listening) return;
  const closed = once(listener, "close");
  listener.close();
  // A connection whose request arrived before the shutdown was announced stays open after its response.
  const idle = setInterval(() => {
    listener.closeIdleConnections();
    // Connections that clients and load balancers open in advance do not count as idle before their first request.
    for (const socket of connections.get(listener) ?? []) if (socket.bytesRead === 0) socket.destroy();
  }, IDLE_CHECK_MS);
  let closeTimeout: NodeJS.Timeout | undefined;
  const drainTimeout = setTimeout(() => {
    closeTimeout = setTimeout(() => listener.closeAllConnections(), CLOSE_DELAY_MS);
    giveUp().catch(() => listener.closeAllConnections());
  }, DRAIN_TIMEOUT_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(drainTimeout);
  clearTimeout(closeTimeout);
}

import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { BadSetting } from "./bad-setting.ts";

/** The open connections of each listener. */
const connections = new WeakMap<Server, Set<Socket>>();

export async function openPort(
  listener: Server,
  { host, port }: { readonly host: string; readonly port: number },
  settings = "HOST, PORT",
): Promise<number> {
  trackConnections(listener);
  listener.listen(port, host);
  await once(listener, "listening").catch((error: Error) => {
    throw new BadSetting(`${settings}: ${error.message}`);
  });
  return (listener.address() as AddressInfo).port; // a TCP listener's address is never a path
}

/** Listens on a Unix socket that only this user can open. The folder must be closed to other users. */
export async function openSocket(listener: Server, path: string): Promise<void> {
  trackConnections(listener);
  // Without `exclusive`, a worker would listen through its supervisor and share the connections.
  listener.listen({ path, exclusive: true });
  await once(listener, "listening");
}

function trackConnections(listener: Server): void {
  const open = new Set<Socket>();
  connections.set(listener, open);
  listener.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
}

/**
 * Accepts no more connections, but keeps the open ones, also idle ones: a client may be about to use one. `close` of an
 * HTTP server would close those.
 */
export function stopAccepting(listener: Server): void {
  if (listener.listening) NetServer.prototype.close.call(listener);
}

const DRAIN_TIMEOUT_MS = 30_000;
const CLOSE_DELAY_MS = 1_000;
const IDLE_CHECK_MS = 100;

/**
 * OPS-1: lets running requests finish and closes idle connections. After 30 s `giveUp` answers the remaining requests,
 * and shortly afterwards all connections are closed.
 */
export async function closePort(
  listener: Server,
  giveUp: () => Promise<void>,
  timeoutMs = DRAIN_TIMEOUT_MS,
): Promise<void> {
  // After `stopAccepting`, it is closed when its last connection is.
  if (!listener.listening && !connections.get(listener)?.size) return;
  const closed = once(listener, "close");
  if (listener.listening) listener.close();
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
  }, timeoutMs);
  await closed;
  clearInterval(idle);
  clearTimeout(drainTimeout);
  clearTimeout(closeTimeout);
}

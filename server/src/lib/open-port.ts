import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { BadSetting } from "./bad-setting.ts";

export async function openPort(
  listener: Server,
  { host, port }: { readonly host: string; readonly port: number },
  settings = "HOST, PORT",
): Promise<number> {
  listener.listen(port, host);
  await once(listener, "listening").catch((error: Error) => {
    throw new BadSetting(`${settings}: ${error.message}`);
  });
  return (listener.address() as AddressInfo).port; // a TCP listener's address is never a path
}

const PATIENCE_MS = 30_000;
const FAREWELL_MS = 1_000;
const LOOK_MS = 100;

/**
 * OPS-1: requests under way may finish, connections without one are closed. After 30 s `giveUp` answers what is still
 * under way, and a moment later everything is closed.
 */
export async function closePort(listener: Server, giveUp: () => Promise<void>): Promise<void> {
  if (!listener.listening) return;
  const closed = once(listener, "close");
  listener.close();
  // A connection whose request came before the end was announced stays open after its answer.
  const idle = setInterval(() => listener.closeIdleConnections(), LOOK_MS);
  let last: NodeJS.Timeout | undefined;
  const patience = setTimeout(() => {
    last = setTimeout(() => listener.closeAllConnections(), FAREWELL_MS);
    giveUp().catch(() => listener.closeAllConnections());
  }, PATIENCE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
  clearTimeout(last);
}

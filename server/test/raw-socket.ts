/** HTTP over a raw socket, for requests that no HTTP client would send. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * Sends what `write` writes and returns everything received until the server closed the connection, as latin1 text. A
 * reset counts as closed, because a server need not read a rejected request.
 */
export async function sendRaw(url: string, write: (socket: Socket) => unknown): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => {});
  socket.on("end", () => socket.end());
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  await write(socket);
  await closed;
  return Buffer.concat(chunks).toString("latin1");
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A node:http server on a free loopback port that leaves nothing behind when closed, including hanging requests. */
export interface Loopback {
  readonly origin: string;
  close(): Promise<void>;
}

export async function listenOnLoopback(listener: RequestListener): Promise<Loopback> {
  // Hostile responses need headers that Node would otherwise correct, and sockets without timeouts.
  const server = createServer({ keepAlive: true, requestTimeout: 0, keepAliveTimeout: 60_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server always has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on("error", reject);
  });
}

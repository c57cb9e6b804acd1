import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between a client and its server, and can take the server away. */
export interface TcpProxy {
  readonly port: number;
  /** Connections break, and new ones are closed at once. */
  cut(): void;
  /** Connections stay and new ones are accepted, but nothing passes; what was sent meanwhile is lost. */
  swallow(): void;
  mend(): void;
  /** Connections that were opened since it was mended last, or made. */
  opened(): number;
  close(): Promise<void>;
}

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let swallows = false;
  let opened = 0;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    opened++;
    const upstream = connect(target);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("data", (bytes) => swallows || other.write(bytes));
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port, // a TCP listener's address is never a path
    cut() {
      isCut = true;
      breakAll();
    },
    swallow() {
      swallows = true;
    },
    mend() {
      isCut = false;
      swallows = false;
      opened = 0;
    },
    opened: () => opened,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        breakAll();
      }),
  };
}

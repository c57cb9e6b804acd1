import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy between a client and a server that can simulate an outage of the server. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks connections and closes new ones immediately. */
  cut(): void;
  /** Keeps connections and accepts new ones, but discards all data. */
  swallow(): void;
  restore(): void;
  /** Connections opened since the proxy was created or last restored. */
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
    restore() {
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

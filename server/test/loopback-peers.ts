/** Servers on loopback for tests of outbound requests. `close` ends them with all their connections. */
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";

export class LoopbackPeers {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  /** Starts a server and returns its port. */
  async listen(server: Server, host = "127.0.0.1"): Promise<number> {
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, host, () => resolve());
    });
    this.#servers.push(server);
    // A listening TCP server always has an AddressInfo.
    return (server.address() as AddressInfo).port;
  }

  async tcp(onConnection: (socket: Socket) => void): Promise<string> {
    return `http://127.0.0.1:${await this.listen(createTcpServer(onConnection))}`;
  }

  async http(listener: RequestListener): Promise<string> {
    return `http://127.0.0.1:${await this.listen(createServer(listener))}`;
  }

  /** Answers the first bytes of each connection with exactly this text and keeps it open, unless `then` closes it. */
  raw(text: string, then: (socket: Socket) => void = () => {}): Promise<string> {
    return this.tcp((socket) => socket.once("data", () => socket.write(text, () => then(socket))));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/**
 * One connection with many concurrent requests (HTTP/1.1 pipelining): the cheapest client, for tests with thousands of
 * requests. Supports only responses with a Content-Length.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface PipelinedAnswer {
  readonly status: number;
  readonly text: string;
}

const HEAD_END = "\r\n\r\n";
/** The service closes a connection on which more than eight responses wait (GW-10). */
const MAX_IN_FLIGHT = 4;

interface Request {
  readonly text: string;
  resolve(answer: PipelinedAnswer): void;
  reject(error: Error): void;
}

export class PipelinedClient {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #unsent: Request[] = [];
  readonly #inFlight: Request[] = [];
  #received: Buffer = Buffer.alloc(0);

  static async open(url: string): Promise<PipelinedClient> {
    const { hostname, port, host } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, "connect");
    return new PipelinedClient(socket, host);
  }

  constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the connection was closed")));
  }

  post(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<PipelinedAnswer> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = Buffer.byteLength(body);
    const head = `POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${lines.join("")}content-length: ${length}`;
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error("the connection was closed before"));
      this.#unsent.push({ text: `${head}${HEAD_END}${body}`, resolve, reject });
      this.#sendNext();
    });
  }

  #sendNext(): void {
    if (this.#inFlight.length >= MAX_IN_FLIGHT) return;
    const next = this.#unsent.shift();
    if (next === undefined) return;
    this.#inFlight.push(next);
    this.#socket.write(next.text);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    for (;;) {
      const headEnd = this.#received.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const head = this.#received.toString("latin1", 0, headEnd);
      const start = headEnd + HEAD_END.length;
      const end = start + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
      if (Number.isNaN(end)) return this.#fail(new Error(`an answer without Content-Length: ${head}`));
      if (this.#received.length < end) return;
      const answer = { status: Number(head.slice(9, 12)), text: this.#received.toString("utf8", start, end) };
      this.#received = this.#received.subarray(end);
      this.#inFlight.shift()?.resolve(answer);
      this.#sendNext();
    }
  }

  #fail(error: Error): void {
    for (const { reject } of [...this.#inFlight.splice(0), ...this.#unsent.splice(0)]) reject(error);
  }
}

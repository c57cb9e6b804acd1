import { createConnection, type Socket } from "node:net";

/** The request to repeat, and its target. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly body?: string;
}

export interface Measured {
  readonly calls: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/** A complete HTTP request as bytes, so that generating the load costs little. */
export function requestBytes({ port, path, method = "POST", headers = {}, body = "" }: Target): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...(body === "" ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`]),
    "accept: application/json, text/event-stream",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

/** One keep-alive connection that sends one request at a time. Responses must have a Content-Length. */
export class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #size = 0;
  #needed = 0;
  #done: ((answer: Buffer) => void) | undefined;

  constructor(port: number) {
    this.#socket = createConnection({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    this.#socket.on("error", (error) => {
      throw error;
    });
  }

  ask(request: Buffer): Promise<Buffer> {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    this.#done = resolve;
    this.#socket.write(request);
    return promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#needed === 0) this.#readHead();
    if (this.#needed === 0 || this.#size < this.#needed) return;
    const answer = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    this.#needed = 0;
    this.#done?.(answer);
  }

  #readHead(): void {
    const head = this.#chunks.length === 1 ? (this.#chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#chunks);
    const end = head.indexOf(HEAD_END);
    if (end === -1) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head.toString("latin1", 0, end))?.[1];
    if (length === undefined) throw new Error(`a response without Content-Length: ${head.toString("latin1", 0, end)}`);
    this.#needed = end + HEAD_END.length + Number(length);
  }
}

/** Exactly `calls` requests over `connections`; `check` validates the first response and every thousandth. */
export async function load(
  target: Target,
  connections: number,
  calls: number,
  check: (answer: string) => void = expectOk,
): Promise<Measured> {
  const request = requestBytes(target);
  const pool = Array.from({ length: connections }, () => new Connection(target.port));
  const times = new Float64Array(calls);
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    pool.map(async (connection) => {
      for (let n = next++; n < calls; n = next++) {
        const askedAt = performance.now();
        const answer = await connection.ask(request);
        times[n] = performance.now() - askedAt;
        if (n % 1000 === 0) check(answer.toString("utf8"));
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of pool) connection.close();
  times.sort();
  return { calls, seconds, perSecond: calls / seconds, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}

export function expectOk(answer: string): void {
  if (!answer.startsWith("HTTP/1.1 200") || answer.includes('"error":{')) throw new Error(answer.slice(0, 500));
}

export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return percentile(sorted, 0.5);
}

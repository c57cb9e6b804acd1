/** For tests: what a handler heard on a wire. */
import { toEgressFailure } from "../failure.ts";
import type { WireControl, WireHandler } from "./connection.ts";

/** One exchange, as its handler heard of it. */
export class Heard implements WireHandler {
  control: WireControl | undefined;
  status = 0;
  body = "";
  nothingSent: boolean | undefined;
  readonly over = Promise.withResolvers<"end" | string>();
  readonly started = Promise.withResolvers<void>();
  onData = () => {};

  start(control: WireControl): void {
    this.control = control;
    this.started.resolve();
  }
  head({ status }: { status: number }): void {
    this.status = status;
  }
  data(chunk: Buffer): void {
    this.body += chunk.toString("latin1");
    this.onData();
  }
  end(): void {
    this.over.resolve("end");
  }
  failed(error: unknown): void {
    const { kind, nothingSent } = toEgressFailure(error, "x");
    this.nothingSent = nothingSent;
    this.over.resolve(kind);
  }
}

export function ok(body: string, headers = ""): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`;
}

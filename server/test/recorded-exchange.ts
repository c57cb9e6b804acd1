import { toEgressFailure } from "#egress/failure";
import type { WireControl, WireHandler } from "#egress/wire/connection";

/** Handles one exchange on a wire and records what it receives. */
export class RecordedExchange implements WireHandler {
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

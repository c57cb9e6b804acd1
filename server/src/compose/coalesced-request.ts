import { IncomingMessage } from "node:http";

/** Chunks from this size on are passed on as they are. */
const MIN_PASSED_BYTES = 1024;
const BLOCK_BYTES = 16 * 1024;

/**
 * A request that joins the small chunks of its body. Node makes a Buffer of several hundred bytes for each chunk and
 * limits the unread ones by their bytes, so a body in chunks of one byte would use hundreds of times its size until
 * it is read (GW-5).
 */
export class CoalescedRequest extends IncomingMessage {
  #hasChunk = false;
  #block: Buffer | undefined;
  #length = 0;

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) {
      this.#flush();
      return super.push(null);
    }
    // Most bodies are one chunk, which is passed on without a copy and without a delay.
    if (!this.#hasChunk || chunk.length >= MIN_PASSED_BYTES) {
      this.#hasChunk = true;
      this.#flush();
      return super.push(chunk, encoding);
    }
    if (this.#block === undefined || this.#block.length - this.#length < chunk.length) {
      this.#flush();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      // All chunks of one read from the socket arrive before this runs; `nextTick` would run between them.
      setImmediate(() => this.#flush());
    }
    this.#length += chunk.copy(this.#block, this.#length);
    return this.readableLength + this.#length < this.readableHighWaterMark;
  }

  #flush(): void {
    if (this.#block === undefined) return;
    // A short block is copied, because a slice would keep all of it.
    const whole = this.#block.subarray(0, this.#length);
    const bytes = whole.length * 2 < BLOCK_BYTES ? Buffer.from(whole) : whole;
    this.#block = undefined;
    this.#length = 0;
    super.push(bytes);
  }
}

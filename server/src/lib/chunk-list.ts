/** Chunks from this size on are kept as they are: copying them would cost more than the memory a Buffer object takes. */
const MIN_KEPT_BYTES = 1024;
const BLOCK_BYTES = 16 * 1024;

/** A limit of n bytes also allows at most n / 64 chunks, because each chunk costs processing time even if it is tiny. */
export const CHUNK_COST_BYTES = 64;

/**
 * Collects the chunks of a body. Small chunks are copied into shared blocks: a Buffer object takes several hundred bytes,
 * so a body that arrives byte by byte would otherwise use hundreds of times its size (GW-5, GW-10).
 */
export class ChunkList {
  bytes = 0;
  readonly #chunks: Buffer[] = [];
  #received = 0;
  #block: Buffer | undefined;
  /** The part of the block that is not in `#chunks` yet. */
  #from = 0;
  #to = 0;

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    // Most bodies arrive as one chunk, which needs no copy even if it is small.
    if (this.#received++ === 0 || chunk.length >= MIN_KEPT_BYTES) {
      this.#closePart();
      this.#chunks.push(detachSmallSlice(chunk));
      return;
    }
    if (this.#block === undefined || this.#block.length - this.#to < chunk.length) {
      this.#closePart();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#from = 0;
      this.#to = 0;
    }
    this.#to += chunk.copy(this.#block, this.#to);
  }

  exceeds(limitBytes: number): boolean {
    return this.bytes > limitBytes || this.#received * CHUNK_COST_BYTES > limitBytes;
  }

  /** All bytes in order, in few chunks. More can be pushed afterwards. */
  get chunks(): readonly Buffer[] {
    this.#closePart();
    return this.#chunks;
  }

  toBuffer(): Buffer {
    const { chunks } = this;
    const [only] = chunks;
    return only && chunks.length === 1 ? only : Buffer.concat(chunks, this.bytes);
  }

  #closePart(): void {
    if (this.#block === undefined || this.#to === this.#from) return;
    this.#chunks.push(this.#block.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}

/** A slice would retain the whole buffer it is a part of, which no limit counts (GW-10). */
function detachSmallSlice(chunk: Buffer): Buffer {
  return chunk.length * 4 < chunk.buffer.byteLength ? Buffer.from(chunk) : chunk;
}

import type { Range } from "./scan.ts";

/**
 * A body as received: one chunk or several, never joined. Joining 256 KiB costs more than scanning it, and forwarding
 * writes chunk by chunk anyway.
 */
export class ByteSource {
  readonly chunks: readonly Buffer[];
  readonly length: number;

  constructor(body: Buffer | readonly Buffer[]) {
    this.chunks = Buffer.isBuffer(body) ? [body] : body;
    let length = 0;
    for (const chunk of this.chunks) length += chunk.length;
    this.length = length;
  }

  /** The bytes from `start` to `end`: a view if one chunk contains them all, otherwise a copy. */
  slice(start: number, end: number): Buffer {
    const parts = this.parts(start, end);
    return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
  }

  text(range: Range): string {
    const first = this.chunks[0];
    if (first !== undefined && range.end <= first.length) return first.toString("utf8", range.start, range.end);
    return this.slice(range.start, range.end).toString("utf8");
  }

  /** Views of the bytes from `start` to `end`; nothing is copied. */
  parts(start: number, end: number): Buffer[] {
    const parts: Buffer[] = [];
    let offset = 0;
    for (const chunk of this.chunks) {
      const from = Math.max(start - offset, 0);
      const to = Math.min(end - offset, chunk.length);
      if (from < to) parts.push(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
      offset += chunk.length;
      if (offset >= end) break;
    }
    return parts;
  }

  /** Copies the bytes from `start` to `end` into `target` and returns the position after them. */
  copy(target: Buffer, position: number, start: number, end: number): number {
    let offset = 0;
    let at = position;
    for (const chunk of this.chunks) {
      const from = Math.max(start - offset, 0);
      const to = Math.min(end - offset, chunk.length);
      if (from < to) at += chunk.copy(target, at, from, to);
      offset += chunk.length;
      if (offset >= end) break;
    }
    return at;
  }
}

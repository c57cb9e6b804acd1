/** Reads one kind of token, which may span chunks. */
export interface TokenReader {
  /** Returns the position after the token at `at`, or INCOMPLETE. `base` is the chunk's offset, for error positions. */
  read(chunk: Buffer, at: number, base: number): number;
  /** Continues with the token that the last chunk ended in. */
  resume(chunk: Buffer, base: number): number;
}

/** The chunk ends inside the token. */
export const INCOMPLETE = -1;

/** Callers guarantee that `index` is in range, which the compiler cannot verify. */
export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}

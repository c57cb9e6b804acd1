/** Reads one kind of token. A chunk border may fall anywhere in it. */
export interface TokenReader {
  /** Position after the token that starts at `at`, or CUT. `base` is the chunk's offset, for the fault it may throw. */
  read(chunk: Buffer, at: number, base: number): number;
  /** Goes on with the token that the last chunk ended within. */
  resume(chunk: Buffer, base: number): number;
}

/** The chunk ends within the token. */
export const CUT = -1;

/** Callers keep `index` below the length, which the compiler cannot see. */
export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}

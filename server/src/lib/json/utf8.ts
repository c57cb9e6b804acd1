import { isUtf8 } from "node:buffer";

const EMPTY: Buffer = Buffer.alloc(0);

/** Validates UTF-8 chunk by chunk; a character may span chunks. */
export class Utf8Check {
  /** The bytes of a character that the last chunk ended in. */
  #pending = EMPTY;

  /** Returns false once the text cannot be valid UTF-8. */
  push(chunk: Buffer): boolean {
    const rest = this.#pending.length === 0 ? chunk : this.#complete(chunk);
    if (rest === undefined) return false;
    const tail = incompleteLength(rest);
    if (tail === 0) return isUtf8(rest);
    this.#pending = Buffer.from(rest.subarray(rest.length - tail));
    return isUtf8(rest.subarray(0, rest.length - tail));
  }

  /** Whether no character is incomplete. */
  end(): boolean {
    return this.#pending.length === 0;
  }

  /** Completes the pending character and returns the rest of the chunk, or undefined if the character is invalid. */
  #complete(chunk: Buffer): Buffer | undefined {
    const missing = characterLength(this.#pending[0] ?? 0) - this.#pending.length;
    const character = Buffer.concat([this.#pending, chunk.subarray(0, missing)]);
    if (chunk.length < missing) {
      this.#pending = character;
      return EMPTY;
    }
    this.#pending = EMPTY;
    return isUtf8(character) ? chunk.subarray(missing) : undefined;
  }
}

function characterLength(lead: number): number {
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Number of bytes at the end that belong to a character continued in the next chunk. */
function incompleteLength(chunk: Buffer): number {
  for (let back = 1; back <= 3 && back <= chunk.length; back++) {
    const byte = chunk[chunk.length - back] ?? 0;
    if (byte >= 0xc0) return characterLength(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

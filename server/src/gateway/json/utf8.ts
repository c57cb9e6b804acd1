import { isUtf8 } from "node:buffer";

/** Judges UTF-8 chunk by chunk; a character may straddle a border. */
export class Utf8Check {
  /** The bytes of a character that the last chunk ended within. */
  #cut = Buffer.alloc(0);

  /** False once the text so far cannot be UTF-8. */
  push(chunk: Buffer): boolean {
    const { rest, whole } = this.#cut.length === 0 ? { rest: chunk, whole: true } : this.#complete(chunk);
    if (!whole) return false;
    const tail = cutCharacterLength(rest);
    if (tail === 0) return isUtf8(rest);
    this.#cut = Buffer.from(rest.subarray(rest.length - tail));
    return isUtf8(rest.subarray(0, rest.length - tail));
  }

  /** Whether no character is left unfinished. */
  end(): boolean {
    return this.#cut.length === 0;
  }

  /** Finishes the straddling character; what remains of the chunk is `rest`. */
  #complete(chunk: Buffer): { rest: Buffer; whole: boolean } {
    const missing = characterLength(this.#cut[0] ?? 0) - this.#cut.length;
    const character = Buffer.concat([this.#cut, chunk.subarray(0, missing)]);
    if (chunk.length < missing) {
      this.#cut = character;
      return { rest: chunk.subarray(chunk.length), whole: true };
    }
    this.#cut = Buffer.alloc(0);
    return { rest: chunk.subarray(missing), whole: isUtf8(character) };
  }
}

function characterLength(lead: number): number {
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** How many bytes at the end belong to a character that goes on in the next chunk. */
function cutCharacterLength(chunk: Buffer): number {
  for (let back = 1; back <= 3 && back <= chunk.length; back++) {
    const byte = chunk[chunk.length - back] ?? 0;
    if (byte >= 0xc0) return characterLength(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

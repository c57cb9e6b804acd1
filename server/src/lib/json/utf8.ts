import { isUtf8 } from "node:buffer";

const NOTHING: Buffer = Buffer.alloc(0);

/** Judges UTF-8 chunk by chunk; a character may straddle a border. */
export class Utf8Check {
  /** The bytes of a character that the last chunk ended within. */
  #cut = NOTHING;

  /** False once the text so far cannot be UTF-8. */
  push(chunk: Buffer): boolean {
    const rest = this.#cut.length === 0 ? chunk : this.#complete(chunk);
    if (rest === undefined) return false;
    const tail = cutCharacterLength(rest);
    if (tail === 0) return isUtf8(rest);
    this.#cut = Buffer.from(rest.subarray(rest.length - tail));
    return isUtf8(rest.subarray(0, rest.length - tail));
  }

  /** Whether no character is left unfinished. */
  end(): boolean {
    return this.#cut.length === 0;
  }

  /** Finishes the straddling character and returns what remains of the chunk; undefined when that is no character. */
  #complete(chunk: Buffer): Buffer | undefined {
    const missing = characterLength(this.#cut[0] ?? 0) - this.#cut.length;
    const character = Buffer.concat([this.#cut, chunk.subarray(0, missing)]);
    if (chunk.length < missing) {
      this.#cut = character;
      return NOTHING;
    }
    this.#cut = NOTHING;
    return isUtf8(character) ? chunk.subarray(missing) : undefined;
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

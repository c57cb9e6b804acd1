import { JsonFault } from "./scan.ts";
import { INCOMPLETE, type TokenReader } from "./token-reader.ts";

const TRUE: Buffer = Buffer.from("true");
const FALSE: Buffer = Buffer.from("false");
const NULL: Buffer = Buffer.from("null");

/** RFC 8259 section 3: `true`, `false`, and `null`. */
export class LiteralReader implements TokenReader {
  #literal = NULL;
  #length = 0;

  read(chunk: Buffer, at: number, base: number): number {
    const first = chunk[at];
    this.#literal = first === 0x74 ? TRUE : first === 0x66 ? FALSE : NULL;
    this.#length = 0;
    return this.#rest(chunk, at, base);
  }

  resume(chunk: Buffer, base: number): number {
    return this.#rest(chunk, 0, base);
  }

  #rest(chunk: Buffer, from: number, base: number): number {
    const literal = this.#literal;
    let at = from;
    let length = this.#length;
    for (; length < literal.length && at < chunk.length; at++, length++) {
      if (chunk[at] !== literal[length]) throw new JsonFault("malformed", base + at);
    }
    this.#length = length;
    return length === literal.length ? at : INCOMPLETE;
  }
}

import { JsonFault } from "./scan.ts";
import { byteAt, INCOMPLETE, type TokenReader } from "./token-reader.ts";

/** Byte classes; 0 is any byte that cannot be part of a number. */
const ZERO = 1;
const DIGIT = 2;
const MINUS = 3;
const PLUS = 4;
const DOT = 5;
const EXPONENT = 6;

const CLASS_OF_BYTE = new Uint8Array(256);
CLASS_OF_BYTE.fill(DIGIT, 0x31, 0x3a);
CLASS_OF_BYTE[0x30] = ZERO;
CLASS_OF_BYTE[0x2d] = MINUS;
CLASS_OF_BYTE[0x2b] = PLUS;
CLASS_OF_BYTE[0x2e] = DOT;
CLASS_OF_BYTE[0x45] = EXPONENT;
CLASS_OF_BYTE[0x65] = EXPONENT;

/** The byte is not part of the number, which has ended before it if its state allows that. */
const STOP = 0;
const START = 1;
const AFTER_MINUS = 2;
const AFTER_DOT = 3;
const AFTER_EXPONENT = 4;
const AFTER_EXPONENT_SIGN = 5;
/** The states from here on allow the number to end. */
const LEADING_ZERO = 6;
const INTEGER = 7;
const FRACTION = 8;
const EXPONENT_DIGITS = 9;

/** The state after a byte is at index `(state << 3) | class`. */
const NEXT = new Uint8Array(10 * 8);
function allow(state: number, next: Record<number, number>): void {
  for (const [byteClass, target] of Object.entries(next)) NEXT[(state << 3) | Number(byteClass)] = target;
}
allow(START, { [ZERO]: LEADING_ZERO, [DIGIT]: INTEGER, [MINUS]: AFTER_MINUS });
allow(AFTER_MINUS, { [ZERO]: LEADING_ZERO, [DIGIT]: INTEGER });
allow(LEADING_ZERO, { [DOT]: AFTER_DOT, [EXPONENT]: AFTER_EXPONENT });
allow(INTEGER, { [ZERO]: INTEGER, [DIGIT]: INTEGER, [DOT]: AFTER_DOT, [EXPONENT]: AFTER_EXPONENT });
allow(AFTER_DOT, { [ZERO]: FRACTION, [DIGIT]: FRACTION });
allow(FRACTION, { [ZERO]: FRACTION, [DIGIT]: FRACTION, [EXPONENT]: AFTER_EXPONENT });
const afterSign = { [ZERO]: EXPONENT_DIGITS, [DIGIT]: EXPONENT_DIGITS };
allow(AFTER_EXPONENT, { ...afterSign, [PLUS]: AFTER_EXPONENT_SIGN, [MINUS]: AFTER_EXPONENT_SIGN });
allow(AFTER_EXPONENT_SIGN, afterSign);
allow(EXPONENT_DIGITS, afterSign);

/**
 * RFC 8259 section 6. A number ends only where another token starts, so at the end of a chunk it is always incomplete.
 */
export class NumberReader implements TokenReader {
  #state = START;

  read(chunk: Buffer, at: number, base: number): number {
    if (byteAt(chunk, at) < 0x31) return this.#rest(chunk, at, START, base);
    // Most numbers consist only of digits and need no table.
    let end = at + 1;
    while (end < chunk.length && isDigit(byteAt(chunk, end))) end++;
    return this.#rest(chunk, end, INTEGER, base);
  }

  resume(chunk: Buffer, base: number): number {
    return this.#rest(chunk, 0, this.#state, base);
  }

  /** Whether the incomplete number is valid as it is. */
  mayEnd(): boolean {
    return this.#state >= LEADING_ZERO;
  }

  #rest(chunk: Buffer, from: number, stateBefore: number, base: number): number {
    let state = stateBefore;
    for (let at = from; at < chunk.length; at++) {
      const next = byteAt(NEXT, (state << 3) | byteAt(CLASS_OF_BYTE, byteAt(chunk, at)));
      if (next === STOP) {
        if (state < LEADING_ZERO) throw new JsonFault("malformed", base + at);
        return at;
      }
      state = next;
    }
    this.#state = state;
    return INCOMPLETE;
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

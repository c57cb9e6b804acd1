/** A lookup table for ASCII characters: 1 for members. Other characters are not members. */
export function charTable(members: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let at = 0; at < members.length; at++) table[members.charCodeAt(at)] = 1;
  return table;
}

export const DIGITS = "0123456789";
export const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const WORD = charTable(`${DIGITS}${LOWER}${UPPER}_`);

export function isIn(table: Uint8Array, code: number): boolean {
  return code < 128 && table[code] === 1;
}

/** Whether the character at `at` is an ASCII letter, a digit or an underscore. False outside of the text. */
export function isWordAt(text: string, at: number): boolean {
  return isIn(WORD, text.charCodeAt(at));
}

export function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

const LETTER_OR_NUMBER = /[\p{L}\p{N}\p{M}_]/u;

/** Like `isWordAt` for all scripts. Marks belong to the letter before them. */
export function isLetterOrNumberAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code)) return false;
  if (code < 128) return WORD[code] === 1;
  // The second half of a surrogate pair belongs to the character before it.
  const from = code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
  return LETTER_OR_NUMBER.test(String.fromCodePoint(text.codePointAt(from) ?? 0));
}

import { DIGITS, LOWER, UPPER } from "./char-table.ts";

/** What one cheap pass over a text reveals. It decides which recognizers are worth running. */
export interface TextProfile {
  readonly digits: number;
  /** Contains characters that normalization changes or removes. */
  readonly needsNormalization: boolean;
  /** Longest sequence of base64 characters, which include letters and digits. */
  readonly longestRun: number;
}

/** Shorter runs of base64 hold no text worth reading. */
export const MIN_BASE64_LENGTH = 24;

/** What a character means for the profile. */
const PLAIN = 0;
const BASE64 = 1;
const DIGIT = 2;
const CHANGED = 3;
const BACKSLASH = 4;
const KIND = new Uint8Array(128).fill(CHANGED, 0, 0x20);
for (const char of `${LOWER}${UPPER}+/-_=`) KIND[char.charCodeAt(0)] = BASE64;
for (const char of DIGITS) KIND[char.charCodeAt(0)] = DIGIT;
for (const char of "\t\n\r") KIND[char.charCodeAt(0)] = PLAIN;
KIND[0x5c] = BACKSLASH;
KIND[0x7f] = CHANGED;

export function profileOf(text: string): TextProfile {
  let digits = 0;
  let run = 0;
  let longest = 0;
  let needsNormalization = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (KIND[code] as number) : CHANGED;
    if (kind === BASE64 || kind === DIGIT) {
      run++;
      digits += kind - BASE64;
      continue;
    }
    if (run > longest) longest = run;
    run = 0;
    if (kind === CHANGED || (kind === BACKSLASH && text.charCodeAt(at + 1) === 0x75)) needsNormalization = true;
  }
  return { digits, needsNormalization, longestRun: Math.max(run, longest) };
}

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

/** What a character means for the profile, as bits: the loop over all characters is faster without branches. */
const IN_RUN = 1;
const DIGIT = 2;
const CHANGED = 4;
const BACKSLASH = 8;
const BITS = new Uint8Array(128).fill(CHANGED, 0, 0x20);
for (const char of `${LOWER}${UPPER}+/-_=`) BITS[char.charCodeAt(0)] = IN_RUN;
for (const char of DIGITS) BITS[char.charCodeAt(0)] = IN_RUN | DIGIT;
for (const char of "\t\n\r") BITS[char.charCodeAt(0)] = 0;
BITS[0x5c] = BACKSLASH;
BITS[0x7f] = CHANGED;

export function profileOf(text: string): TextProfile {
  let digits = 0;
  let run = 0;
  let longestRun = 0;
  let seen = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const bits = code < 128 ? (BITS[code] as number) : CHANGED;
    // One more, or 0 outside of a run.
    run = (run + 1) & -(bits & IN_RUN);
    if (run > longestRun) longestRun = run;
    digits += (bits & DIGIT) >> 1;
    seen |= bits;
  }
  const isEscaped = (seen & BACKSLASH) !== 0 && text.includes("\\u");
  return { digits, needsNormalization: (seen & CHANGED) !== 0 || isEscaped, longestRun };
}

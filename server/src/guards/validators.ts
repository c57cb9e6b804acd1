import { entropyOf } from "#policy/secrets/entropy";
import { charTable, DIGITS } from "./text/char-table.ts";

/** The check digit of payment cards (ISO/IEC 7812-1). `digits` contains only digits. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    let digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    if (at % 2 === 1) digit = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** ISO 13616 and ISO 7064: the remainder of the rearranged number by 97 is 1. `iban` is upper case without spaces. */
export function isMod97(iban: string): boolean {
  let remainder = 0;
  for (let at = 0; at < iban.length; at++) {
    const code = iban.charCodeAt((at + 4) % iban.length);
    const value = code >= 0x41 ? code - 55 : code - 48;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Which numbers the Social Security Administration assigns: no area 000, 666 or 900 to 999, no group 00, no serial 0000. */
export function isUsSsn(digits: string): boolean {
  if (digits.length !== 9) return false;
  const area = Number(digits.slice(0, 3));
  if (area === 0 || area === 666 || area >= 900) return false;
  return digits.slice(3, 5) !== "00" && digits.slice(5) !== "0000";
}

const IS_DIGIT = charTable(DIGITS);

/** The digits of a text without everything else. */
export function digitsOf(text: string): string {
  let digits = "";
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && IS_DIGIT[code] === 1) digits += text[at];
  }
  return digits;
}

export type Validator = (match: string) => boolean;

const ENTROPY = /^entropy:(\d(?:\.\d{1,2})?)$/;
export const VALIDATOR_NAMES = "luhn, iban, us_ssn, entropy:<bits per character>";

/** The validator of a regex check; undefined if there is none with that name. */
export function validatorOf(name: string): Validator | undefined {
  if (name === "luhn") return (match) => isLuhn(digitsOf(match));
  if (name === "iban") return (match) => isMod97(match.toUpperCase().replace(/[^A-Z0-9]/g, ""));
  if (name === "us_ssn") return (match) => isUsSsn(digitsOf(match));
  const bits = ENTROPY.exec(name)?.[1];
  if (bits === undefined) return undefined;
  const minimum = Number(bits);
  return (match) => entropyOf(match) >= minimum;
}

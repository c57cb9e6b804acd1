import { contextWords, withContext } from "../checks/text-check.ts";
import { allMatches } from "../text/all-matches.ts";
import { digitsOf, isUsSsn } from "../validators.ts";
import { type Find, isJoined, type Recognizer } from "./recognizer.ts";

const SSN = /\d{3}([- ]?)\d{2}\1\d{4}/g;
const SSN_CONTEXT = contextWords([
  "ssn",
  "social",
  "soc sec",
  "tax ?payer",
  "tin(?![a-z])",
  "itin",
  "ss#",
  "sin(?![a-z])",
]);

/** US social security numbers. Without separators they look like any number, so a context word decides. */
export const usSsn: Recognizer = {
  entity: "us_ssn",
  minDigits: 9,
  find(form, found) {
    const { text } = form;
    for (const match of allMatches(SSN, text)) {
      const start = match.index;
      const end = start + match[0].length;
      if (isJoined(text, start, end) || !isUsSsn(digitsOf(match[0]))) continue;
      const base = match[1] === "-" ? 7 : 5;
      found(start, end, withContext(base, form.hasContext(start, end, SSN_CONTEXT)));
    }
  },
};

const NINO = /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]/g;
const UNUSED_NINO = new Set(["BG", "GB", "NK", "KN", "TN", "NT", "ZZ"]);
const NINO_CONTEXT = contextWords(["national insurance", "nino(?![a-z])", "ni number", "ni no", "insurance n"]);

/** UK national insurance numbers. */
export const ukNino: Recognizer = {
  entity: "uk_nino",
  minDigits: 6,
  find(form, found) {
    const { text } = form;
    for (const match of allMatches(NINO, text)) {
      const start = match.index;
      const end = start + match[0].length;
      if (isJoined(text, start, end) || UNUSED_NINO.has(match[0].slice(0, 2))) continue;
      // AB 12 34 56 C is written by people; AB123456C could be a part number.
      const base = match[0].length === 13 ? 8 : 7;
      found(start, end, withContext(base, form.hasContext(start, end, NINO_CONTEXT)));
    }
  },
};

const PASSPORT = /(?:[A-Z]{1,2}\d{6,8}|[A-Z]\d[A-Z0-9]{7}|\d{8,9}|\d{2}[A-Z]{2}\d{5})/g;
const PASSPORT_CONTEXT = contextWords([
  "passport",
  "reisepass",
  "passeport",
  "pasaporte",
  "travel document",
  "passaporto",
]);
/** The second line of a machine-readable passport (ICAO 9303): number, nationality, birth, sex, expiry, each with check digits. */
const MRZ = /[A-Z0-9<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z0-9<]{14}[\d<]\d/g;

/** Passport numbers have no checksum, so they need a context word; machine-readable lines have one. */
export const passport: Recognizer = {
  entity: "passport",
  literals: ["passport", "reisepass", "passeport", "pasaporte", "travel document", "passaporto", "<<"],
  keyTrigger: PASSPORT_CONTEXT,
  minDigits: 6,
  find(form, found) {
    const { text } = form;
    if (form.profile.digits >= 20 && text.includes("<")) findMrz(text, found);
    for (const match of allMatches(PASSPORT, text)) {
      const start = match.index;
      const end = start + match[0].length;
      if (!isJoined(text, start, end) && form.hasContext(start, end, PASSPORT_CONTEXT)) found(start, end, 7);
    }
  },
};

function findMrz(text: string, found: Find): void {
  for (const match of allMatches(MRZ, text)) {
    if (isMrzValid(match[0])) found(match.index, match.index + match[0].length, 10);
  }
}

function isMrzValid(line: string): boolean {
  const fields = [
    [0, 9],
    [13, 19],
    [21, 27],
  ] as const;
  return fields.every(([from, to]) => mrzDigit(line.slice(from, to)) === line.charCodeAt(to) - 48);
}

function mrzDigit(field: string): number {
  let sum = 0;
  for (let at = 0; at < field.length; at++) {
    const code = field.charCodeAt(at);
    const value = code === 0x3c ? 0 : code >= 0x41 ? code - 55 : code - 48;
    sum += value * ([7, 3, 1][at % 3] ?? 1);
  }
  return sum % 10;
}

import { isWordAt } from "../text/char-table.ts";
import { isMod97 } from "../validators.ts";
import type { Recognizer } from "./recognizer.ts";

/** Country, two check digits, then groups of up to four letters and digits. */
const CANDIDATE = /[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,32}/g;

/**
 * The account part of each country's IBAN (ISO 13616 registry): n digits, a letters, c letters or digits. Countries that
 * are not listed have no IBAN.
 */
const STRUCTURES: Readonly<Record<string, string>> = {
  AD: "8n12c",
  AE: "19n",
  AL: "8n16c",
  AT: "16n",
  AZ: "4a20c",
  BA: "16n",
  BE: "12n",
  BG: "4a6n8c",
  BH: "4a14c",
  BI: "5n5n11n2n",
  BR: "23n1a1c",
  BY: "4c4n16c",
  CH: "5n12c",
  CR: "18n",
  CY: "8n16c",
  CZ: "20n",
  DE: "18n",
  DJ: "23n",
  DK: "14n",
  DO: "4c20n",
  EE: "16n",
  EG: "25n",
  ES: "20n",
  FI: "14n",
  FK: "2a12n",
  FO: "14n",
  FR: "10n11c2n",
  GB: "4a14n",
  GE: "2a16n",
  GI: "4a15c",
  GL: "14n",
  GR: "7n16c",
  GT: "4c20c",
  HN: "4a20n",
  HR: "17n",
  HU: "24n",
  IE: "4a14n",
  IL: "19n",
  IQ: "4a15n",
  IS: "22n",
  IT: "1a10n12c",
  JO: "4a4n18c",
  KW: "4a22c",
  KZ: "3n13c",
  LB: "4n20c",
  LC: "4a24c",
  LI: "5n12c",
  LT: "16n",
  LU: "3n13c",
  LV: "4a13c",
  LY: "21n",
  MC: "10n11c2n",
  MD: "2c18c",
  ME: "18n",
  MK: "3n10c2n",
  MN: "16n",
  MR: "23n",
  MT: "4a5n18c",
  MU: "4a19n3a",
  NI: "4a20n",
  NL: "4a10n",
  NO: "11n",
  OM: "3n16c",
  PK: "4a16c",
  PL: "24n",
  PS: "4a21c",
  PT: "21n",
  QA: "4a21c",
  RO: "4a16c",
  RS: "18n",
  RU: "14n15c",
  SA: "2n18c",
  SC: "4a20n3a",
  SD: "14n",
  SE: "20n",
  SI: "15n",
  SK: "20n",
  SM: "1a10n12c",
  SO: "19n",
  ST: "21n",
  SV: "4a20n",
  TL: "19n",
  TN: "20n",
  TR: "6n16c",
  UA: "6n19c",
  VA: "18n",
  VG: "4a16n",
  XK: "16n",
  YE: "4a4n18c",
};

interface Structure {
  /** Including country and check digits. */
  readonly length: number;
  readonly account: RegExp;
}

const CLASSES: Readonly<Record<string, string>> = { n: "\\d", a: "[A-Z]", c: "[A-Z0-9]" };
const BY_COUNTRY: ReadonlyMap<string, Structure> = new Map(
  Object.entries(STRUCTURES).map(([country, structure]) => {
    const parts = [...structure.matchAll(/(\d+)([nac])/g)].map(([, count, kind]) => ({ count: Number(count), kind }));
    const source = parts.map(({ count, kind }) => `${CLASSES[kind ?? "c"]}{${count}}`).join("");
    const length = 4 + parts.reduce((sum, { count }) => sum + count, 0);
    return [country, { length, account: new RegExp(`^${source}$`) }] as const;
  }),
);

export const iban: Recognizer = {
  entity: "iban",
  minDigits: 8,
  find({ text }, found) {
    CANDIDATE.lastIndex = 0;
    for (let match = CANDIDATE.exec(text); match !== null; match = CANDIDATE.exec(text)) {
      const start = match.index;
      const length = isWordAt(text, start - 1) ? 0 : ibanLength(match[0]);
      if (length > 0 && !isWordAt(text, start + length)) {
        found(start, start + length, 10);
        CANDIDATE.lastIndex = start + length;
      } else {
        // The candidate can contain another one.
        CANDIDATE.lastIndex = start + 2;
      }
    }
  },
};

/** How many characters of the candidate are a valid IBAN; 0 for none. */
function ibanLength(candidate: string): number {
  const structure = BY_COUNTRY.get(candidate.slice(0, 2).toUpperCase());
  if (structure === undefined) return 0;
  let compact = "";
  let at = 0;
  for (; at < candidate.length && compact.length < structure.length; at++) {
    const char = candidate[at] ?? "";
    if (char !== " " && char !== "-") compact += char;
  }
  const upper = compact.toUpperCase();
  // Mixed case is a random text, not an account.
  if (upper !== compact && compact.toLowerCase() !== compact) return 0;
  const isAccount = upper.length === structure.length && structure.account.test(upper.slice(4));
  return isAccount && isMod97(upper) ? at : 0;
}

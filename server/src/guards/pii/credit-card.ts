import { contextWords, withContext } from "../checks/text-check.ts";
import { allMatches } from "../text/all-matches.ts";
import { isDigitAt, isWordAt } from "../text/char-table.ts";
import { isLuhn } from "../validators.ts";
import type { Recognizer } from "./recognizer.ts";

/** 12 to 19 digits, with at most one space, hyphen or dot between digits. */
const CANDIDATE = /\d(?:[ .-]?\d){11,18}/g;
const CONTEXT = contextWords([
  ...["card", "credit", "debit", "visa", "master ?card", "amex", "american express", "discover", "diners", "jcb"],
  ...[
    "unionpay",
    "maestro",
    "pan(?![a-z])",
    "primary account",
    "cvv",
    "cvc",
    "csc(?![a-z])",
    "security code",
    "expir",
    "exp(?![a-z])",
  ],
  ...[
    "valid thru",
    "cc(?![a-z])",
    "payment card",
    "kreditkart",
    "kartennummer",
    "carte",
    "tarjeta",
    "carta di credito",
  ],
]);

/** Numbers that payment providers publish for tests. They are certain, so that a guard can be tried with them. */
const PUBLISHED = new Set([
  ...["4111111111111111", "4242424242424242", "4012888888881881", "4000056655665556", "5555555555554444"],
  ...["5105105105105100", "2223003122003222", "378282246310005", "371449635398431", "6011111111111117"],
  ...[
    "6011000990139424",
    "3056930009020004",
    "30569309025904",
    "38520000023237",
    "3566002020360505",
    "6200000000000005",
  ],
]);

interface Issuer {
  readonly lengths: readonly number[];
  /** First digits, from and to (inclusive). */
  readonly ranges: readonly (readonly [string, string])[];
}

/** Ranges that card networks publish (ISO/IEC 7812 issuer identification numbers). */
const ISSUERS: readonly Issuer[] = [
  { lengths: [13, 16, 19], ranges: [["4", "4"]] },
  {
    lengths: [16],
    ranges: [
      ["51", "55"],
      ["2221", "2720"],
    ],
  },
  {
    lengths: [15],
    ranges: [
      ["34", "34"],
      ["37", "37"],
    ],
  },
  {
    lengths: [16, 17, 18, 19],
    ranges: [
      ["6011", "6011"],
      ["644", "649"],
      ["65", "65"],
    ],
  },
  {
    lengths: [14, 15, 16, 17, 18, 19],
    ranges: [
      ["36", "36"],
      ["300", "305"],
      ["3095", "3095"],
      ["38", "39"],
    ],
  },
  { lengths: [16, 17, 18, 19], ranges: [["3528", "3589"]] },
  {
    lengths: [16, 17, 18, 19],
    ranges: [
      ["62", "62"],
      ["81", "81"],
    ],
  },
  {
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
    ranges: [
      ["5018", "5018"],
      ["5020", "5020"],
      ["5038", "5038"],
      ["5893", "5893"],
      ["6304", "6304"],
      ["6759", "6763"],
    ],
  },
  { lengths: [16], ranges: [["2200", "2204"]] },
  {
    lengths: [16],
    ranges: [
      ["60", "60"],
      ["508", "508"],
      ["353", "353"],
      ["356", "356"],
    ],
  },
];
/** Lengths that networks use in practice; others need a context word. */
const USUAL_LENGTHS = new Set([15, 16]);
/** Groups of four digits, or 4-6-5 and 4-6-4. */
const GROUPED = /^(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{4,5})$/;

export const creditCard: Recognizer = {
  entity: "credit_card",
  minDigits: 12,
  find(form, found) {
    const { text } = form;
    for (const match of allMatches(CANDIDATE, text)) {
      const start = match.index;
      const end = start + match[0].length;
      // Part of a longer number, a decimal fraction, an identifier or a path.
      if (isPartOfMore(text, start, end)) continue;
      const digits = match[0].replace(/[ .-]/g, "");
      if (!isIssued(digits) || !isLuhn(digits) || isRepeated(digits)) continue;
      const near = form.hasContext(start, end, CONTEXT);
      found(start, end, withContext(baseCertainty(match[0], digits), near));
    }
  },
};

function baseCertainty(match: string, digits: string): number {
  if (PUBLISHED.has(digits)) return 8;
  if (GROUPED.test(match)) return 7;
  const isPlain = match.length === digits.length;
  return isPlain && USUAL_LENGTHS.has(digits.length) ? 6 : 5;
}

function isPartOfMore(text: string, start: number, end: number): boolean {
  if (isWordAt(text, start - 1) || isWordAt(text, end)) return true;
  const before = text[start - 1];
  if ((before === "." || before === "-" || before === "+") && (before === "+" || isWordAt(text, start - 2)))
    return true;
  const after = text[end];
  return (after === "." || after === "-") && isDigitAt(text, end + 1);
}

function isIssued(digits: string): boolean {
  return ISSUERS.some(
    ({ lengths, ranges }) =>
      lengths.includes(digits.length) &&
      ranges.some(([from, to]) => {
        const prefix = digits.slice(0, from.length);
        return prefix >= from && prefix <= to;
      }),
  );
}

/** 4444444444444448 and the like are placeholders; published numbers are none. */
function isRepeated(digits: string): boolean {
  return !PUBLISHED.has(digits) && new Set(digits.slice(1, -1)).size === 1;
}

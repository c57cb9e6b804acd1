import { contextWords, withContext } from "../checks/text-check.ts";
import { allMatches } from "../text/all-matches.ts";
import { digitsOf } from "../validators.ts";
import { isJoined, type Recognizer } from "./recognizer.ts";

/** `+` and a country code, then groups of digits. */
const INTERNATIONAL = /\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,5}\)[ .-]?)?\d{1,14}(?:[ .-]\d{1,9}){0,5}/g;
/** The North American plan: area and exchange start with 2 to 9. */
const NORTH_AMERICAN = /(?:\(([2-9]\d{2})\) ?|([2-9]\d{2})([ .-]))[2-9]\d{2}[ .-]\d{4}/g;
/** National forms that start with 0, or plain digits. Only a context word makes them certain. */
const NATIONAL = /(?:\(0\d{1,4}\)|0\d{1,5})[ /-]?\d{2,8}(?:[ -]\d{2,6}){0,4}|[2-9]\d{9}/g;
const CONTEXT = contextWords([
  ...[
    "phone",
    "tel(?![a-z])",
    "tel\\.",
    "telephone",
    "mobile",
    "cell",
    "call ",
    "fax",
    "sms",
    "whatsapp",
    "contact",
    "dial",
    "ring me",
  ],
  ...[
    "text me",
    "hotline",
    "telefon",
    "handy",
    "mobil",
    "rufnummer",
    "téléphone",
    "teléfono",
    "móvil",
    "numero di telefono",
  ],
]);

export const phone: Recognizer = {
  entity: "phone",
  minDigits: 7,
  find(form, found) {
    const { text } = form;
    const report = (match: RegExpExecArray, base: number, minimum: number) => {
      const start = match.index;
      const end = start + match[0].length;
      const digits = digitsOf(match[0]).length;
      if (digits < minimum || digits > 15 || isJoined(text, start, end)) return;
      found(start, end, withContext(base, form.hasContext(start, end, CONTEXT)));
    };
    if (text.includes("+")) {
      for (const match of allMatches(INTERNATIONAL, text)) report(match, isKnownCountry(match[0]) ? 8 : 5, 8);
    }
    for (const match of allMatches(NORTH_AMERICAN, text)) {
      report(match, match[1] !== undefined ? 7 : match[3] === "-" ? 6 : 5, 10);
    }
    for (const match of allMatches(NATIONAL, text)) report(match, 5, 7);
  },
};

/** Country codes that the ITU assigns; the others are not in use. */
const COUNTRY_CODE =
  /^\+(?:1|7|2[07]|21[1-36-8]|2[2-69]\d|3[0-469]|3[578]\d|4[013-9]|42[013]|5[1-8]|5[09]\d|6[0-6]|6[789]\d|8[1246]|85[02356]|88[06]|80[08]|87[08]|88[1238]|9[0-58]|9[679]\d)/;

function isKnownCountry(number: string): boolean {
  return COUNTRY_CODE.test(number);
}

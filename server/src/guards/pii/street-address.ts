import { contextWords, withContext } from "../checks/text-check.ts";
import { allMatches } from "../text/all-matches.ts";
import { isWordAt } from "../text/char-table.ts";
import type { Recognizer } from "./recognizer.ts";

const NAME = "[A-ZÀ-Ý][\\p{L}'’.-]{0,24}";
const SUFFIX =
  "(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Ter|Parkway|Pkwy|Circle|Cir|Highway|Hwy|Crescent|Close|Gardens|Grove|Mews)";
/** `221B Baker Street`, with up to four words before the suffix. */
const ENGLISH = new RegExp(
  `\\d{1,5}[A-Za-z]?,? (?:[NSEW]\\.? )?(?:(?:${NAME}|\\d{1,3}(?:st|nd|rd|th)) ){1,4}?${SUFFIX}(?![\\p{L}\\d])\\.?`,
  "gu",
);
/** `Hauptstraße 5`, `Am Markt-Weg 12a`. */
const GERMAN = new RegExp(
  `${NAME}(?:[Ss]tra(?:ß|ss)e|[Ss]tr\\.|[Ww]eg|[Aa]llee|[Pp]latz|[Gg]asse|[Dd]amm|[Uu]fer|[Rr]ing) ?\\d{1,4} ?[a-z]?(?![\\p{L}\\d])`,
  "gu",
);
/** `12 rue de la Paix`, `Calle Mayor 5`, `Via Roma 10`. */
const ROMANCE = new RegExp(
  `\\d{1,4}(?: ?bis)?,? (?:rue|avenue|boulevard|place|chemin|quai) (?:(?:de|du|des|la|le|les) |d['’]|l['’]){0,3}${NAME}(?: ${NAME}){0,3}|(?:Calle|Avenida|Plaza|Paseo|Via|Viale|Piazza|Corso) (?:(?:de|del|la|los|las|di|della) ){0,3}${NAME}(?: ${NAME}){0,2},? \\d{1,4}`,
  "gu",
);
/** What follows an address: a unit, a postal code with a city, or a state with a ZIP code. */
const FOLLOWED_BY =
  /^[\s,]{1,4}(?:(?:Apt|Apartment|Suite|Ste|Unit|Floor|Flat|#)|\d{5}(?!\d)|[\p{L} .'-]{2,30},? {0,2}(?:[A-Z]{2} \d{5}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|\d{4,5} \p{Lu}))/u;
const CONTEXT = contextWords([
  ...[
    "address",
    "street",
    "lives? at",
    "living at",
    "ship",
    "deliver",
    "mail(?:ing)? to",
    "resid",
    "home",
    "billing",
    "located at",
  ],
  ...["adresse", "anschrift", "wohn", "dirección", "domicil", "indirizzo"],
]);

/** The words that make a street, with the space before them where they are separate words. */
const LITERALS = [
  ...[
    " street",
    " st",
    " ave",
    " road",
    " rd",
    " boulevard",
    " blvd",
    " lane",
    " ln",
    " drive",
    " dr",
    " court",
    " ct",
  ],
  ...[" way", " place", " pl", " square", " sq", " ter", " parkway", " pkwy", " cir", " highway", " hwy", " crescent"],
  ...[
    " close",
    " gardens",
    " grove",
    " mews",
    "straße",
    "strasse",
    "str.",
    "weg ",
    "allee ",
    "platz ",
    "gasse ",
    "damm ",
  ],
  ...["ufer ", "ring ", " rue ", " chemin ", " quai ", "calle ", "avenida ", "plaza ", "paseo ", "via ", "viale "],
  ...["piazza ", "corso "],
];

/** An address is shorter, so it lies within this distance of its literals. */
const WINDOW = 150;

export const streetAddress: Recognizer = {
  entity: "street_address",
  literals: LITERALS,
  minDigits: 1,
  find(form, found, literals) {
    const { text } = form;
    for (const window of form.hits.windows(literals, text.length, WINDOW, WINDOW)) {
      const part = text.slice(window.start, window.end);
      for (const pattern of [ENGLISH, GERMAN, ROMANCE]) {
        for (const match of allMatches(pattern, part)) {
          const start = window.start + match.index;
          const end = start + match[0].length;
          if (isWordAt(text, start - 1) || text[start - 1] === ".") continue;
          const base = FOLLOWED_BY.test(text.slice(end, end + 60)) ? 8 : 6;
          found(start, end, withContext(base, form.hasContext(start, end, CONTEXT)));
        }
      }
    }
  },
};

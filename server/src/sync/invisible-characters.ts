/**
 * GW-17: characters that a model reads but a reviewer cannot see: Unicode tags, bidi controls, zero-width and other
 * invisible characters. Joiners and variation selectors are allowed where a script or an emoji uses them.
 */
const JOINING =
  "\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f\\p{M}" +
  ["Arab", "Beng", "Deva", "Gujr", "Guru", "Khmr", "Knda", "Mlym", "Mong", "Orya", "Sinh", "Taml", "Telu"]
    .map((script) => `\\p{sc=${script}}`)
    .join("");
const VARYING = "\\p{Emoji}\\p{Ideographic}\\p{S}\\p{sc=Mong}\\p{sc=Mymr}";
const INVISIBLE = new RegExp(
  [
    "[\\u{e0000}-\\u{e007f}]",
    "[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]",
    "[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0]",
    `(?<![${JOINING}])[\\u200c\\u200d]`,
    `(?<![${VARYING}])[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]`,
    "(?![\\t\\n\\r])\\p{Cc}",
  ].join("|"),
  "gu",
);
/** Hidden text may have thousands. */
const MAX_REPORTED = 32;

/** The distinct characters as `U+200B`, sorted by code point. */
export function findInvisibleCharacters(value: unknown): string[] {
  const found = new Set<number>();
  collect(value, found);
  return [...found]
    .sort((a, b) => a - b)
    .slice(0, MAX_REPORTED)
    .map((codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`);
}

function collect(value: unknown, found: Set<number>): void {
  if (typeof value === "string") {
    for (const [match] of value.matchAll(INVISIBLE)) found.add(match.codePointAt(0) ?? 0);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      collect(key, found);
      collect(inner, found);
    }
  }
}

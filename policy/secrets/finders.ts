/** All detectors in one list. The guards of the gateway and the redaction of scan reports share it. */
import { SECRET_FORMATS } from "./formats.ts";
import { genericSecret } from "./generic.ts";
import { STRUCTURED_SECRETS, type StructuredSecret } from "./structured.ts";

/** Before these, letters are part of a URL or of another word. */
const JOINED_PREFIXES = /^(?::AA|hooks\.|discord|AccountKey|SharedAccessKey)/;
const WORD = /\w/;

/** Each format is tried only where its prefix occurs. */
const FORMAT_FINDERS: readonly StructuredSecret[] = SECRET_FORMATS.flatMap(({ provider, prefixes, body, certainty }) =>
  prefixes.map((prefix) => {
    const pattern = new RegExp(`${escapePattern(prefix)}${body}`, "y");
    const mayBeJoined = JOINED_PREFIXES.test(prefix);
    return {
      provider,
      literals: [prefix],
      find({ text }, at, found) {
        if (!mayBeJoined && WORD.test(text.charAt(at - 1))) return;
        pattern.lastIndex = at;
        const end = pattern.exec(text) === null ? undefined : pattern.lastIndex;
        if (end !== undefined && !WORD.test(text.charAt(end))) found(at, end, certainty);
      },
    } satisfies StructuredSecret;
  }),
);

export const SECRET_FINDERS: readonly StructuredSecret[] = [...FORMAT_FINDERS, ...STRUCTURED_SECRETS, genericSecret];

/** Matches lowercase text in which at least one detector can find something. Most texts have none, and are done after it. */
export const ANY_SECRET_LITERAL = new RegExp(
  [...new Set(SECRET_FINDERS.flatMap(({ literals }) => literals.map((literal) => literal.toLowerCase())))]
    .map(escapePattern)
    .join("|"),
);

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

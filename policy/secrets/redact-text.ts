import { ANY_SECRET_LITERAL, SECRET_FINDERS } from "./finders.ts";
import { isSecretName } from "./secret-names.ts";
import { isPlaceholder } from "./structured.ts";

export const REDACTED = "[REDACTED]";
/** Longer texts do not occur in fields of a report; the rest is dropped instead of being left unchecked. */
export const MAX_TEXT_LENGTH = 16_384;
const MIN_CERTAINTY = 7;
/** Longer than every secret that has to be seen completely to be recognized. */
const LONGEST_SECRET = 16_384;
const VALUE = "\\\\{0,3}[\"']?([^\\s\"'`<>()[\\]{},;\\\\]{8,2048})";
/** `--api-key value`, `API_KEY=value` and `curl -u user:value` in a text. The first group is the name, if there is one. */
const NAMED_VALUES: readonly RegExp[] = [
  new RegExp(`(?<![\\w-])--?([A-Za-z_][\\w.-]{1,63})(?:[ \\t]{1,4}|=)${VALUE}`, "g"),
  new RegExp(`(?<![\\w$])([A-Z][A-Z0-9_]{1,63})=${VALUE}`, "g"),
  new RegExp(`\\$\\{([A-Za-z_]\\w{1,63}):?[-=]${VALUE}`, "g"),
  new RegExp(`(?<![\\w-])-(?:u|-user)[ \\t=]{1,4}["']?[^\\s:"']{2,64}:()${VALUE}`, "g"),
];

/** Replaces everything that a detector recognizes as a secret. The rest is text that every database can store. */
export function redactText(text: string, limit = MAX_TEXT_LENGTH): string {
  return redactAndCut(text, limit, (checked) => redactNamedValues(redactDetected(checked)));
}

/** Redacts before it cuts, because the beginning of a secret is not recognized. */
export function redactAndCut(text: string, limit: number, redact: (text: string) => string): string {
  const given = text.slice(0, limit + LONGEST_SECRET);
  const redacted = redact(cleanText(given));
  // The end of what was given can be the beginning of a secret.
  const end = given.length < text.length ? Math.min(limit, redacted.length - LONGEST_SECRET) : limit;
  return cleanText(redacted.slice(0, Math.max(0, end)));
}

/** Without NUL and halves of characters, which JSON allows and databases refuse. */
function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

function redactDetected(checked: string): string {
  const lower = checked.toLowerCase();
  if (!ANY_SECRET_LITERAL.test(lower)) return checked;
  const spans: [number, number][] = [];
  const form = { text: checked, key: "" };
  for (const finder of SECRET_FINDERS) {
    for (const literal of finder.literals) {
      const wanted = literal.toLowerCase();
      for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + 1)) {
        finder.find(form, at, (start, end, certainty) => {
          if (certainty >= MIN_CERTAINTY) spans.push([start, end]);
        });
      }
    }
  }
  return spans.length === 0 ? checked : replaceSpans(checked, spans);
}

/** In a text, a plain word after an option can be the next word of the sentence. */
function redactNamedValues(text: string): string {
  return NAMED_VALUES.reduce(
    (output, pattern) =>
      output.replace(pattern, (pair, name: string, value: string) =>
        (name === "" || isSecretName(name)) && isUnlikeWords(value)
          ? pair.slice(0, pair.length - value.length) + REDACTED
          : pair,
      ),
    text,
  );
}

function isUnlikeWords(value: string): boolean {
  if (/^(?:[-$%/]|~\/|\.{1,2}\/|[A-Za-z]:\/)/.test(value) || isPlaceholder(value)) return false;
  return (/\d/.test(value) && /[a-z]/i.test(value)) || /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(value);
}

function replaceSpans(text: string, spans: [number, number][]): string {
  spans.sort(([one], [other]) => one - other);
  let output = "";
  let copied = 0;
  for (const [start, end] of spans) {
    if (start >= copied) output += text.slice(copied, start) + REDACTED;
    copied = Math.max(copied, end);
  }
  return output + text.slice(copied);
}

import { ANY_SECRET_LITERAL, SECRET_FINDERS } from "./finders.ts";

export const REDACTED = "[REDACTED]";
/** Longer texts do not occur in fields of a report; the rest is dropped instead of being left unchecked. */
export const MAX_TEXT_LENGTH = 16_384;
const MIN_CERTAINTY = 7;

/** Replaces everything that a detector recognizes as a secret. The rest is text that every database can store. */
export function redactText(text: string, limit = MAX_TEXT_LENGTH): string {
  const checked = cleanText(text, limit);
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
  return spans.length === 0 ? checked : cleanText(replaceSpans(checked, spans), limit);
}

/** Without NUL and halves of characters, which JSON allows and databases refuse. */
export function cleanText(text: string, limit: number): string {
  return text.slice(0, limit).toWellFormed().replaceAll("\0", "\ufffd");
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

import { isPlainText, PLAIN_TEXT_MESSAGE } from "#api/kit/text";
import { invalid } from "#lib/errors";

/** Deeper values could exhaust the stack where they are validated or written. */
const MAX_DEPTH = 64;

/** Rejects texts that a database cannot store, and values that are nested too deeply. */
export function requirePlain(field: string, value: unknown, allowsAnyText = false): void {
  const open: { readonly path: string; readonly value: unknown; readonly depth: number }[] = [
    { path: field, value, depth: 0 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value: part, depth } = next;
    if (typeof part === "string" && !allowsAnyText && !isPlainText(part)) throw invalid(path, PLAIN_TEXT_MESSAGE);
    if (typeof part !== "object" || part === null) continue;
    if (depth >= MAX_DEPTH) throw invalid(field, `must be nested at most ${MAX_DEPTH} levels deep`);
    for (const [key, inner] of Object.entries(part)) {
      if (!allowsAnyText && !isPlainText(key)) throw invalid(path, PLAIN_TEXT_MESSAGE);
      open.push({ path: `${path}.${key}`, value: inner, depth: depth + 1 });
    }
  }
}

/** The same for each field of a body. */
export function requirePlainBody(body: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(body)) requirePlain(field, value);
}

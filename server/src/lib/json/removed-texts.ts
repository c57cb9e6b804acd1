import type { Edit } from "./splice.ts";

/** The texts that edits of parts of JSON strings remove from `json`, and what they put there. */
export function removedTexts(
  json: Buffer,
  edits: readonly Edit[],
): { readonly text: string; readonly replacement: string }[] {
  return edits.map(({ start, end, text }) => {
    return { text: unescaped(json.toString("utf8", start, end)), replacement: unescaped(text.toString()) };
  });
}

function unescaped(part: string): string {
  return part.includes("\\") ? String(JSON.parse(`"${part}"`)) : part;
}

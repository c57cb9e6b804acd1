/** What a person cannot see, or what makes them see something else: controls, direction marks, Unicode tags (GW-17). */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}]|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** A stranger's text as one line of at most `longest` characters. */
export function seenLine(text: string | null | undefined, longest: number): string {
  const line = (text ?? "")
    .slice(0, 10 * longest)
    .toWellFormed()
    .replace(UNSEEN, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= longest) return line;
  return `${line
    .slice(0, longest - 1)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}

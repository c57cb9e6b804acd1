/** Invisible and misleading characters: controls, direction marks, Unicode tags (GW-17). */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}]|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Untrusted text as one visible line of at most `maxLength` characters. */
export function visibleLine(text: string | null | undefined, maxLength: number): string {
  const line = (text ?? "")
    .slice(0, 10 * maxLength)
    .toWellFormed()
    .replace(INVISIBLE, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= maxLength) return line;
  return `${line
    .slice(0, maxLength - 1)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}

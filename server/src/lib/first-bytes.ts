/** The beginning of a text with at most `maxBytes` bytes of UTF-8. Characters are not split; lone surrogates are replaced. */
export function firstBytes(text: string, maxBytes: number): string {
  // No character has fewer bytes than UTF-16 units, so the rest is not needed. A pair that this splits is cut below.
  const bytes = Buffer.from(text.slice(0, maxBytes + 1));
  return bytes.toString("utf8", 0, characterStart(bytes, maxBytes));
}

/** The last position up to `position` at which a character starts. */
export function characterStart(bytes: Buffer, position: number): number {
  if (position >= bytes.length) return bytes.length;
  let start = Math.max(0, position);
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}

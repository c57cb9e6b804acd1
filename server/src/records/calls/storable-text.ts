const MAX_TEXT = 500;

/** Postgres rejects NUL, unpaired surrogates, and index entries longer than 2,700 bytes. */
export function storableText(text: string): string {
  if (text.length <= MAX_TEXT && text.isWellFormed() && !text.includes("\0")) return text;
  return text.slice(0, MAX_TEXT).toWellFormed().replaceAll("\0", "\ufffd");
}

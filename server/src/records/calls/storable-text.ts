const MAX_TEXT = 500;

/** Postgres refuses NUL and unpaired surrogates, and an index entry longer than 2,700 bytes. */
export function storableText(text: string): string {
  if (text.length <= MAX_TEXT && text.isWellFormed() && !text.includes("\0")) return text;
  return text.slice(0, MAX_TEXT).toWellFormed().replaceAll("\0", "\ufffd");
}

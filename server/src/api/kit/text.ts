/** Postgres cannot store NUL, and an unpaired surrogate would be replaced by another character. */
export function isPlainText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

export const PLAIN_TEXT_MESSAGE = "must be well-formed text without NUL characters";

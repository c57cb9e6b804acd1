/** Postgres cannot hold NUL, and an unpaired surrogate would come back as another character: neither is text to us. */
export function isPlainText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

export const PLAIN_TEXT_MESSAGE = "must be well-formed text without NUL characters";

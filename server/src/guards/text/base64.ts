import { isAscii, isUtf8 } from "node:buffer";
import type { Range } from "#lib/json/scan";
import { charTable, DIGITS, isIn, LOWER, UPPER } from "./char-table.ts";
import { MIN_BASE64_LENGTH } from "./profile.ts";

/** Text that was found encoded in another text. */
export interface DecodedText extends Range {
  readonly text: string;
}

const IS_BASE64 = charTable(`${DIGITS}${LOWER}${UPPER}+/-_`);
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/g;

/** Finds runs of base64 that decode to readable text. Hashes, keys and images decode to other bytes. */
export function decodeBase64Runs(text: string): DecodedText[] {
  const found: DecodedText[] = [];
  for (const { start, end } of findRuns(text)) {
    const decoded = readableText(Buffer.from(text.slice(start, end), "base64"));
    if (decoded !== undefined) found.push({ start, end, text: decoded });
  }
  return found;
}

/** A run covers one of the positions that are its minimum length apart, so most characters are not looked at. */
function findRuns(text: string): Range[] {
  const runs: Range[] = [];
  let at = MIN_BASE64_LENGTH - 1;
  let searched = 0;
  while (at < text.length) {
    if (!isIn(IS_BASE64, text.charCodeAt(at))) {
      at += MIN_BASE64_LENGTH;
      continue;
    }
    let start = at;
    while (start > searched && isIn(IS_BASE64, text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && isIn(IS_BASE64, text.charCodeAt(end))) end++;
    searched = end;
    at = end + MIN_BASE64_LENGTH;
    if (end - start < MIN_BASE64_LENGTH) continue;
    while (text[end] === "=" && end - searched < 2) end++;
    runs.push({ start, end });
  }
  return runs;
}

function readableText(bytes: Buffer): string | undefined {
  if (bytes.length < 12 || !isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  if (isAscii(bytes) && bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) return text;
  const unprintable = text.match(UNPRINTABLE)?.length ?? 0;
  return unprintable * 20 <= text.length ? text : undefined;
}

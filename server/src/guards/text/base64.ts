import { isAscii, isUtf8 } from "node:buffer";
import type { Range } from "#lib/json/scan";
import { MIN_BASE64_LENGTH } from "./profile.ts";

/** Text that was found encoded in another text. */
export interface DecodedText extends Range {
  readonly text: string;
}

/** The quantifier is greedy over one class and nothing follows it, so this is linear. */
const RUNS = new RegExp(`[A-Za-z0-9+/_-]{${MIN_BASE64_LENGTH},}={0,2}`, "g");
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/g;

/** Finds runs of base64 that decode to readable text. Hashes, keys and images decode to other bytes. */
export function decodeBase64Runs(text: string): DecodedText[] {
  const found: DecodedText[] = [];
  for (const match of text.matchAll(RUNS)) {
    const decoded = readableText(Buffer.from(match[0], "base64"));
    if (decoded !== undefined) found.push({ start: match.index, end: match.index + match[0].length, text: decoded });
  }
  return found;
}

function readableText(bytes: Buffer): string | undefined {
  if (bytes.length < 12 || !isUtf8(bytes)) return undefined;
  const text = bytes.toString("utf8");
  if (isAscii(bytes) && bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) return text;
  const unprintable = text.match(UNPRINTABLE)?.length ?? 0;
  return unprintable * 20 <= text.length ? text : undefined;
}

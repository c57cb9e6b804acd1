/** The framing of git's protocol: https://git-scm.com/docs/gitprotocol-common */

export const FLUSH = Buffer.from("0000");
const HEAD_BYTES = 4;
const MAX_BYTES = 65_520;

export class MalformedPktLine extends Error {}

export function pktLine(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from((body.length + HEAD_BYTES).toString(16).padStart(4, "0")), body]);
}

/** The lines without their final newline; null is a flush. */
export function* readPktLines(bytes: Buffer): Generator<string | null> {
  for (let at = 0; at < bytes.length; ) {
    const digits = bytes.toString("latin1", at, at + HEAD_BYTES);
    const length = /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    if (length === 0) {
      yield null;
      at += HEAD_BYTES;
      continue;
    }
    if (!(length >= HEAD_BYTES && length <= MAX_BYTES) || at + length > bytes.length) throw new MalformedPktLine();
    const text = bytes.toString("utf8", at + HEAD_BYTES, at + length);
    yield text.endsWith("\n") ? text.slice(0, -1) : text;
    at += length;
  }
}

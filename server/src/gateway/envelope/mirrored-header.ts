/** Values of a message that modern clients repeat in headers; what no header can hold goes as `=?base64?…?=`. */
const PREFIX = "=?base64?";
const SUFFIX = "?=";
const CANONICAL_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined when it claims to be encoded and is not decodable. */
export function decodeMirrored(value: string): string | undefined {
  if (!value.startsWith(PREFIX) || !value.endsWith(SUFFIX)) return value;
  const encoded = value.slice(PREFIX.length, -SUFFIX.length);
  if (!CANONICAL_BASE64.test(encoded)) return undefined;
  try {
    return strictUtf8.decode(Buffer.from(encoded, "base64"));
  } catch {
    return undefined;
  }
}

/** Plain when it is visible ASCII with inner spaces at most, and cannot be taken for an encoded value. */
export function encodeMirrored(value: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith(PREFIX)) return value;
  return `${PREFIX}${Buffer.from(value, "utf8").toString("base64")}${SUFFIX}`;
}

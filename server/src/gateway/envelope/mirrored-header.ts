/**
 * Message values that modern clients repeat in headers. Values that a header cannot hold are sent as `=?base64?…?=`.
 */
const PREFIX = "=?base64?";
const SUFFIX = "?=";
const CANONICAL_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns undefined when the value is marked as encoded but cannot be decoded. */
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

/** Returns the value unchanged if it is visible ASCII without outer spaces and does not look like an encoded value. */
export function encodeMirrored(value: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith(PREFIX)) return value;
  return `${PREFIX}${Buffer.from(value, "utf8").toString("base64")}${SUFFIX}`;
}

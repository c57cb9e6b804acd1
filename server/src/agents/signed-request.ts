import { createHmac, timingSafeEqual } from "node:crypto";

/** How far the clocks of sender and receiver may differ. */
export const MAX_SKEW_MS = 300_000;
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

export interface SignedParts {
  readonly signature: string | undefined;
  /** Seconds since the epoch. */
  readonly timestamp: string | undefined;
  readonly body: Buffer;
}

/** `sha256=` and the HMAC-SHA256 of `<timestamp>.<body>`. */
export function signatureOf(secret: string, timestamp: string, body: Buffer | string): string {
  return `sha256=${createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")}`;
}

/** Compares in constant time with each secret. */
export function isSigned(
  { signature, timestamp, body }: SignedParts,
  secrets: readonly string[],
  now: number,
): boolean {
  if (signature === undefined || timestamp === undefined || !SIGNATURE.test(signature)) return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > MAX_SKEW_MS) return false;
  const given = Buffer.from(signature.toLowerCase());
  return secrets.some((secret) => timingSafeEqual(given, Buffer.from(signatureOf(secret, timestamp, body))));
}

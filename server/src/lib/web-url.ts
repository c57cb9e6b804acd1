import { createHash } from "node:crypto";

/** Accepts only http and https: `javascript:` and similar URLs must not reach a page or a client (OA-8). */
export function isWebUrl(value: string): boolean {
  // The URL parser silently drops or encodes these characters, and the stored URL must be the requested one.
  if (/[\s\p{Cc}]/u.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && !url.username && !url.password;
}

/**
 * A key that is equal for all spellings of one endpoint: the case of scheme and host, a default port, a trailing slash
 * and a fragment do not matter (Spec 4.2). A digest, because URLs can be longer than a database can index.
 */
export function endpointKey(address: string): string | null {
  const url = URL.parse(address);
  if (url === null) return null;
  const path = url.pathname.replace(/\/+$/, "");
  return createHash("sha256").update(`${url.origin}${path}${url.search}`).digest("base64url");
}

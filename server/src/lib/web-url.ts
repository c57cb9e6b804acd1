import { createHash } from "node:crypto";

/** Only http and https ever: `javascript:` and its like must not reach a page or a client (OA-8). */
export function isWebUrl(value: string): boolean {
  // The parser drops or encodes these silently; what is stored must be what is asked for.
  if (/[\s\p{Cc}]/u.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && !url.username && !url.password;
}

/**
 * The same for every spelling of one endpoint: the case of scheme and host, a default port, a trailing slash and a
 * fragment make no difference (Spec 4.2). A digest, because an address may be longer than a database can index.
 */
export function endpointKey(address: string): string | null {
  const url = URL.parse(address);
  if (url === null) return null;
  const path = url.pathname.replace(/\/+$/, "");
  return createHash("sha256").update(`${url.origin}${path}${url.search}`).digest("base64url");
}

import type { StoredAuthSettings } from "#storage/server-tables";

/** Headers that frame a message or belong to the protocol are set by the gateway only (GW-15). */
const FRAMING =
  /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|accept|accept-encoding|cookie|keep-alive|proxy-.*|mcp-.*)$/i;

/** D6: whether a user's API key can be sent in this header. */
export function isKeyHeaderName(name: string): boolean {
  return name.length <= 100 && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && !FRAMING.test(name);
}

/** The text before the key in that header. */
export function isKeyHeaderPrefix(prefix: string): boolean {
  return prefix.length <= 100 && /^[\x20-\x7e]*$/.test(prefix);
}

const LONGEST_KEY = 8192;

/** Whether a key is valid in a header: visible ASCII, single spaces inside. */
export function isSendableKey(key: string): boolean {
  return key.length <= LONGEST_KEY && /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/.test(key);
}

/** D6, D23: the header with a user's API key, as name and value. */
export function keyHeader({ headerName, headerPrefix }: StoredAuthSettings, key: string): [string, string] {
  return [headerName ?? "Authorization", `${headerPrefix ?? "Bearer "}${key}`];
}

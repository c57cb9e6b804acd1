import type { StoredAuthSettings } from "#storage/server-tables";

/** Names that frame a message are ours alone, as are those of the protocol (GW-15). */
const FRAMING =
  /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|accept|accept-encoding|cookie|keep-alive|proxy-.*|mcp-.*)$/i;

/** D6: a header in which a user's key may go upstream. */
export function isKeyHeaderName(name: string): boolean {
  return name.length <= 100 && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && !FRAMING.test(name);
}

/** What stands before the key in that header. */
export function isKeyHeaderPrefix(prefix: string): boolean {
  return prefix.length <= 100 && /^[\x20-\x7e]*$/.test(prefix);
}

const LONGEST_KEY = 8192;

/** A key that can stand in a header as it is: CR, LF, NUL and whatever else is not visible cannot. */
export function isSendableKey(key: string): boolean {
  return key.length <= LONGEST_KEY && /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/.test(key);
}

/** D6, D23: the header in which a user's key goes upstream, as name and value. */
export function keyHeader({ headerName, headerPrefix }: StoredAuthSettings, key: string): [string, string] {
  return [headerName ?? "Authorization", `${headerPrefix ?? "Bearer "}${key}`];
}

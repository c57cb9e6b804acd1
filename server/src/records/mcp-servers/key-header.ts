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

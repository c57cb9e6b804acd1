/** A URL as pg reads it: after a user, the host can be empty, and a parameter names a socket. Null if it is not valid. */
export function parsePostgresUrl(text: string): URL | null {
  return URL.parse(text) ?? URL.parse(text.replace("@/", "@localhost/"));
}

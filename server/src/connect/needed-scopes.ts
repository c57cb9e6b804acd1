const LONGEST_HEADER = 4_000;
const MOST_SCOPES = 50;

/** The scopes that a `WWW-Authenticate` with `insufficient_scope` asks for (RFC 6750 3.1); of any other, none. */
export function neededScopes(challenge: string): string[] {
  if (challenge.length > LONGEST_HEADER || !/\berror\s*=\s*"?insufficient_scope\b/i.test(challenge)) return [];
  const [, quoted, bare] = /(?:^|[\s,])scope\s*=\s*(?:"([^"]*)"|([^\s,"]+))/i.exec(challenge) ?? [];
  const scopes = (quoted ?? bare ?? "").split(" ").filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  return scopes.slice(0, MOST_SCOPES);
}

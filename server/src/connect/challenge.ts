/** What a 401 says about where to get a token (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly resourceMetadata: string | undefined;
  readonly scope: string | undefined;
}

const LONGEST_HEADER = 4_000;
/** A parameter (name, value in quotes or bare), or the name of a scheme. */
const PART = /([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([!#$%&'*+.^_`|~\w-]+)(?=[\s,]|$)/g;

/** The parameters of the first Bearer challenge, among however many schemes and headers. */
export function readChallenge(headers: string | string[] | undefined): Challenge {
  for (const header of [headers ?? []].flat()) {
    const parameters = header.length > LONGEST_HEADER ? undefined : bearerParameters(header);
    if (parameters) return { resourceMetadata: parameters.get("resource_metadata"), scope: parameters.get("scope") };
  }
  return { resourceMetadata: undefined, scope: undefined };
}

function bearerParameters(header: string): Map<string, string> | undefined {
  let found: Map<string, string> | undefined;
  for (const [, name = "", inQuotes, bare = "", scheme] of header.matchAll(PART)) {
    if (scheme === undefined) found?.set(name.toLowerCase(), inQuotes?.replace(/\\(.)/g, "$1") ?? bare);
    else if (found) break;
    else if (scheme.toLowerCase() === "bearer") found = new Map();
  }
  return found;
}

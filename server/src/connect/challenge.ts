/** Where to get a token, according to a 401 (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly resourceMetadata: string | undefined;
  readonly scope: string | undefined;
}

const MAX_HEADER_LENGTH = 4_000;
/** A parameter (name, value in quotes or bare), or the name of a scheme. */
const PART = /([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([!#$%&'*+.^_`|~\w-]+)(?=[\s,]|$)/g;

/** Reads the first Bearer challenge among all schemes and headers. */
export function readChallenge(headers: string | string[] | undefined): Challenge {
  const parameters = parametersIn(headers);
  return { resourceMetadata: parameters?.get("resource_metadata"), scope: parameters?.get("scope") };
}

/** The scopes that a 403 with `insufficient_scope` requires (RFC 6750 3.1); empty for other challenges. */
export function neededScopes(header: string): string[] {
  const parameters = parametersIn(header);
  if (parameters?.get("error")?.toLowerCase() !== "insufficient_scope") return [];
  const scopes = (parameters.get("scope") ?? "").split(" ").filter((scope) => SCOPE.test(scope));
  return scopes.slice(0, MAX_SCOPES);
}

/** RFC 6749 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const MAX_SCOPES = 50;

function parametersIn(headers: string | string[] | undefined): Map<string, string> | undefined {
  for (const header of [headers ?? []].flat()) {
    const parameters = header.length > MAX_HEADER_LENGTH ? undefined : bearerParameters(header);
    if (parameters) return parameters;
  }
  return undefined;
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

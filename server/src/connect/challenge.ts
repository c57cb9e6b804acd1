/** Where to get a token, according to a 401 (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly resourceMetadata: string | undefined;
  readonly scope: string | undefined;
}

/** Longer headers, and headers after these, are not read. */
const MAX_HEADER_LENGTH = 4_000;
const MAX_HEADERS = 8;

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
  for (const header of [headers ?? []].flat().slice(0, MAX_HEADERS)) {
    const parameters = header.length > MAX_HEADER_LENGTH ? undefined : bearerParameters(header);
    if (parameters) return parameters;
  }
  return undefined;
}

/** The part of a string that the scanner uses, so that a test can count its steps. */
export type ScannedText = Pick<string, "length" | "charCodeAt" | "slice">;

/**
 * The parameters of the first Bearer challenge (RFC 9110 11.6.1). Each character is read a fixed number of times (GW-8), which
 * a regular expression with alternatives does not guarantee.
 */
export function bearerParameters(header: ScannedText): Map<string, string> | undefined {
  let found: Map<string, string> | undefined;
  for (let at = 0; at < header.length; ) {
    const part = partAt(header, at);
    at = part.after;
    if (part.kind === "parameter") found?.set(part.name, part.value);
    else if (part.kind === "scheme" && found) return found;
    else if (part.kind === "scheme" && part.name === "bearer") found = new Map();
  }
  return found;
}

/** A parameter, the name of a scheme, or anything else, and the position after it. */
type Part =
  | { readonly kind: "parameter"; readonly name: string; readonly value: string; readonly after: number }
  | { readonly kind: "scheme"; readonly name: string; readonly after: number }
  | { readonly kind: "other"; readonly after: number };

function partAt(header: ScannedText, at: number): Part {
  const end = skip(header, at, isTokenCharacter);
  if (end === at) return { kind: "other", after: at + 1 };
  const name = header.slice(at, end).toLowerCase();
  const next = skip(header, end, isSpace);
  if (next < header.length && header.charCodeAt(next) === EQUALS) {
    const { value, after } = valueAt(header, skip(header, next + 1, isSpace));
    return value === undefined ? { kind: "other", after } : { kind: "parameter", name, value, after };
  }
  // A scheme ends with a space, a comma, or the header.
  const isScheme = next > end || end === header.length || header.charCodeAt(end) === COMMA;
  return isScheme ? { kind: "scheme", name, after: next } : { kind: "other", after: next };
}

const [QUOTE, COMMA, EQUALS, BACKSLASH] = [0x22, 0x2c, 0x3d, 0x5c];
const TOKEN_CHARACTERS = new Set(
  Buffer.from("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
);

function isTokenCharacter(code: number): boolean {
  return TOKEN_CHARACTERS.has(code);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function isBare(code: number): boolean {
  return !isSpace(code) && code !== COMMA && code !== QUOTE;
}

function skip(text: ScannedText, from: number, matches: (code: number) => boolean): number {
  let at = from;
  while (at < text.length && matches(text.charCodeAt(at))) at++;
  return at;
}

/** A value in quotes or bare, and the position after it. Undefined: there is none, or its quotes do not end. */
function valueAt(text: ScannedText, from: number): { value: string | undefined; after: number } {
  if (from >= text.length || text.charCodeAt(from) !== QUOTE) {
    const after = skip(text, from, isBare);
    return { value: after === from ? undefined : text.slice(from, after), after };
  }
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  if (at >= text.length) return { value: undefined, after: text.length };
  return { value: text.slice(from + 1, at).replace(/\\(.)/g, "$1"), after: at + 1 };
}

/**
 * Globs of policy rules: `*` is any sequence of characters, `/` included, `?` is any one character, `[a-z]` and `[!a-z]`
 * are sets, and `{a,b}` are alternatives. Case is ignored. Matching takes at most pattern × text steps, because names and
 * URLs come from devices, and a regular expression with many stars could be made to run for hours.
 */
export const MAX_GLOB_LENGTH = 256;
const MAX_ALTERNATIVES = 64;
/** Longer texts are cut before matching. */
const MAX_TEXT_LENGTH = 4096;

/** `char` is the only character that it accepts, if there is one. */
export type Token =
  | { readonly kind: "star"; readonly accepts?: (char: string) => boolean }
  | { readonly kind: "one"; readonly char?: string; readonly accepts: (char: string) => boolean };
const STAR: Token = { kind: "star" };
const ANY: Token = { kind: "one", accepts: () => true };

export type Matcher = (text: string) => boolean;

/** A set, or one character. */
const LEXEME = /\[[!^]?.[^\]]*\]|./gsu;

/** Undefined if the glob is invalid: empty, too long, unbalanced brackets or braces, or too many alternatives. */
export function compileGlob(glob: string): Matcher | undefined {
  return matcherOf(tokensOf(glob));
}

/**
 * The host of a URL ends at the first slash, so patterns before it match no slash, and no variable that can contain one. A
 * star at the end matches anything.
 */
export function compileUrlGlob(glob: string): Matcher | undefined {
  return matcherOf(tokensOf(glob)?.map(keepInsideHost));
}

function keepInsideHost(tokens: readonly Token[]): readonly Token[] {
  const isSlash = (token: Token | undefined) => token?.kind === "one" && token.char === "/";
  const start = tokens.findIndex((token, at) => isSlash(token) && isSlash(tokens[at + 1]));
  if (start === -1) return tokens;
  const path = tokens.findIndex((token, at) => at > start + 1 && isSlash(token));
  return tokens.map((token, at) => {
    const isLast = at === tokens.length - 1;
    if ((path !== -1 && at > path) || (path === -1 && isLast && token.kind === "star")) return token;
    if (token.kind === "star") return { kind: "star", accepts: isInHost };
    return token.char === undefined ? { ...token, accepts: (char) => isInHost(char) && token.accepts(char) } : token;
  });
}

function isInHost(char: string): boolean {
  return !/[/${}]/.test(char);
}

function matcherOf(compiled: readonly (readonly Token[])[] | undefined): Matcher | undefined {
  return (
    compiled &&
    ((text) => {
      const chars = [...text.slice(0, MAX_TEXT_LENGTH).toLowerCase()];
      return compiled.some((tokens) => matches(tokens, chars));
    })
  );
}

/** The alternatives of a glob. Undefined if it is invalid. */
export function tokensOf(glob: string): readonly (readonly Token[])[] | undefined {
  if (glob === "" || glob.length > MAX_GLOB_LENGTH) return undefined;
  const lexemes: readonly string[] = glob.toLowerCase().match(LEXEME) ?? [];
  const alternatives = lexemes.includes("[") || lexemes.includes("]") ? undefined : expandBraces(lexemes);
  const compiled = alternatives?.map(tokenize).filter((tokens) => tokens !== undefined);
  return compiled?.length === alternatives?.length ? compiled : undefined;
}

export function isValidGlob(glob: string): boolean {
  return compileGlob(glob) !== undefined;
}

/** Expands the first group of braces and continues with the results. Undefined if braces are unbalanced or too many. */
function expandBraces(glob: readonly string[]): (readonly string[])[] | undefined {
  const pending = [glob];
  const expanded: (readonly string[])[] = [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const open = next.findIndex((lexeme) => lexeme === "{" || lexeme === "}");
    if (open === -1) expanded.push(next);
    else {
      const alternatives = expandFirst(next, open);
      if (alternatives === undefined) return undefined;
      pending.push(...alternatives);
    }
    if (expanded.length + pending.length > MAX_ALTERNATIVES) return undefined;
  }
  return expanded;
}

function expandFirst(glob: readonly string[], open: number): (readonly string[])[] | undefined {
  const end = glob[open] === "{" ? endOfGroup(glob, open) : undefined;
  if (end === undefined) return undefined;
  const [before, after] = [glob.slice(0, open), glob.slice(end + 1)];
  return partsOf(glob.slice(open + 1, end)).map((part) => [...before, ...part, ...after]);
}

function endOfGroup(glob: readonly string[], open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < glob.length; at++) {
    depth += braceDepth(glob[at]);
    if (depth === 0) return at;
  }
  return undefined;
}

/** The content of a group, divided at its commas. */
function partsOf(group: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const lexeme of group) {
    depth += braceDepth(lexeme);
    if (lexeme === "," && depth === 0) parts.push([]);
    else parts.at(-1)?.push(lexeme);
  }
  return parts;
}

function braceDepth(lexeme: string | undefined): number {
  return lexeme === "{" ? 1 : lexeme === "}" ? -1 : 0;
}

function tokenize(lexemes: readonly string[]): Token[] | undefined {
  const tokens: Token[] = [];
  for (const lexeme of lexemes) {
    const token = tokenOf(lexeme);
    if (token === undefined) return undefined;
    tokens.push(token);
  }
  return tokens;
}

function tokenOf(lexeme: string): Token | undefined {
  if (lexeme === "*") return STAR;
  if (lexeme === "?") return ANY;
  if (!lexeme.startsWith("[")) return { kind: "one", char: lexeme, accepts: (char) => char === lexeme };
  const accepts = compileSet(lexeme.slice(1, -1));
  return accepts && { kind: "one", accepts };
}

/** Undefined if a range is reversed. */
function compileSet(source: string): ((char: string) => boolean) | undefined {
  const isNegated = source.startsWith("!") || source.startsWith("^");
  const members = [...(isNegated ? source.slice(1) : source)];
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] as string;
    const to = members[at + 1] === "-" ? members[at + 2] : undefined;
    if (to === undefined) ranges.push([from, from]);
    else if (code(to) < code(from)) return undefined;
    else {
      ranges.push([from, to]);
      at += 2;
    }
  }
  return (char) => ranges.some(([from, to]) => code(char) >= code(from) && code(char) <= code(to)) !== isNegated;
}

function code(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function acceptsMore(star: Token | undefined, char: string): boolean {
  return star?.accepts?.(char) ?? true;
}

/** Only the last star is extended, so the number of steps is bounded by the product of the lengths. */
function matches(tokens: readonly Token[], chars: readonly string[]): boolean {
  let token = 0;
  let star = -1;
  let resume = 0;
  for (let at = 0; at < chars.length; ) {
    const current = tokens[token];
    if (current?.kind === "star") {
      star = token++;
      resume = at;
    } else if (current?.accepts(chars[at] as string)) {
      token++;
      at++;
    } else if (star >= 0 && acceptsMore(tokens[star], chars[resume] as string)) {
      token = star + 1;
      at = ++resume;
    } else return false;
  }
  while (tokens[token]?.kind === "star") token++;
  return token === tokens.length;
}

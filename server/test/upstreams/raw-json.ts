/**
 * Finds the members of a JSON object without parsing their values, so that a test upstream can return the exact bytes
 * that it received. Works on latin1 text, where one character is one byte. Assumes valid input.
 */
export type RawMembers = ReadonlyMap<string, string>;

export function rawMembers(text: string): RawMembers {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0);
  if (text[at] !== "{") throw new SyntaxError("not a JSON object");
  at = skipSpace(text, at + 1);
  while (text[at] !== "}") {
    const keyEnd = valueEnd(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    if (typeof key !== "string") throw new SyntaxError("a key must be a string");
    at = skipSpace(text, keyEnd);
    if (text[at] !== ":") throw new SyntaxError("no colon after a key");
    at = skipSpace(text, at + 1);
    const end = valueEnd(text, at);
    members.set(key, text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
    else if (text[at] !== "}") throw new SyntaxError("no comma between members");
  }
  return members;
}

/** The elements of an array as text. */
export function rawElements(text: string): string[] {
  const elements: string[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== "[") throw new SyntaxError("not a JSON array");
  at = skipSpace(text, at + 1);
  while (text[at] !== "]") {
    const end = valueEnd(text, at);
    elements.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return elements;
}

export function objectMembers(raw: string | undefined): RawMembers {
  return raw?.[0] === "{" ? rawMembers(raw) : new Map();
}

/** The string of a raw value, or undefined for another kind of value. */
export function rawString(raw: string | undefined): string | undefined {
  if (raw?.[0] !== '"') return undefined;
  const value: unknown = JSON.parse(Buffer.from(raw, "latin1").toString("utf8"));
  return typeof value === "string" ? value : undefined;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return at;
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first === "{" || first === "[") return bracketEnd(text, start);
  const end = start + (/^[-+.0-9A-Za-z]+/.exec(text.slice(start, start + 400))?.[0].length ?? 0);
  if (end === start) throw new SyntaxError("no value");
  return end;
}

function bracketEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = stringEnd(text, at) - 1;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  throw new SyntaxError("unclosed bracket");
}

function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  throw new SyntaxError("unclosed string");
}

/** Removes values of secrets, variables and headers from JSON, also inside other text and inside strings of JSON. */
import { redactValue } from "./references.ts";
import { isSecretName } from "./secret-names.ts";

/** Objects of which every value counts as a secret. */
const GROUP = /^(?:env|envs|environment|(?:http[-_]?)?headers?)$/i;
/** A name in quotes, which have up to 63 backslashes inside of strings, or without quotes at the start of a pair. */
const NAME = /(?:(\\{0,63})(["'])([\w.-]{1,64})\1\2|(?<=(?<!\$)[{,]\s{0,20})([A-Za-z_][\w.-]{0,63}))\s{0,20}:\s{0,20}/g;
/** What was redacted before is a word, and not a list. */
const TOKEN = /(\\{0,63})(["'])|\[REDACTED\]|[{}[\],:]|[^\s{}[\],:"'\\]+/y;
const WORD = /[^\s,{}[\]"']+/y;

export function redactJsonValues(text: string): string {
  let output = "";
  let copied = 0;
  for (const match of text.matchAll(NAME)) {
    const name = match[3] ?? match[4] ?? "";
    const start = match.index + match[0].length;
    const isGroup = GROUP.test(name) && /[[{]/.test(text.charAt(start));
    if (match.index < copied || !(isGroup || isSecretName(name))) continue;
    const end = endOfValue(text, start);
    output += text.slice(copied, start) + redactLeaves(text.slice(start, end));
    copied = end;
  }
  return output + text.slice(copied);
}

/** A string, a word, or everything up to the closing bracket. */
function endOfValue(text: string, start: number): number {
  if (!/[[{"'\\]/.test(text.charAt(start))) {
    WORD.lastIndex = start;
    return start + (WORD.exec(text)?.[0].length ?? 0);
  }
  let depth = 0;
  for (const { token, end } of tokensOf(text, start)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth <= 0) return end;
  }
  return text.length;
}

/** All strings and words except names. */
function redactLeaves(value: string): string {
  let output = "";
  let copied = 0;
  for (const { token, start, end, quote } of tokensOf(value, 0)) {
    const isName = /^\s*:/.test(value.slice(end, end + 20));
    if (isName || (quote === 0 && /^[{}[\],:]$/.test(token))) continue;
    output += value.slice(copied, start + quote) + redactValue(value.slice(start + quote, end - quote));
    copied = end - quote;
  }
  return output + value.slice(copied);
}

interface Token {
  readonly token: string;
  readonly start: number;
  readonly end: number;
  /** The length of its quotes; 0 for words and punctuation. */
  readonly quote: number;
}

function* tokensOf(text: string, from: number): Generator<Token> {
  for (let at = from; at < text.length; ) {
    TOKEN.lastIndex = at;
    const [token = "", slashes, mark] = TOKEN.exec(text) ?? [];
    const end = mark === undefined ? at + token.length : endOfString(text, at + token.length, slashes ?? "", mark);
    if (token !== "") yield { token, start: at, end, quote: mark === undefined ? 0 : token.length };
    at = token === "" ? at + 1 : end;
  }
}

/** The next quote with as many backslashes. A quote with another number of them is part of the string. */
function endOfString(text: string, from: number, slashes: string, mark: string): number {
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1)) {
    let before = 0;
    while (at - before > from && text[at - before - 1] === "\\") before++;
    if (before === slashes.length || (slashes === "" && before % 2 === 0)) return at + 1;
  }
  return text.length;
}

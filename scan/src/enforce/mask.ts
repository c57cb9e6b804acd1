import { REDACTED, redactText } from "#policy/redact";
import { normalizeUrl } from "#policy/urls";

/** A table of TOML. Lists that look like one are inside of brackets or after `=`. */
const HEADER = /\[{1,2}[\w-]+(?:\.(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*\]{1,2}(?=[ \t]*(?:#|\r?$))/my;
/** Strings over several lines, strings, comments, white space and punctuation, and words. Strings can be unfinished. */
const TOKEN =
  /"""(?:\\[\s\S]|[^\\])*?(?:"""|$(?![\s\S]))|'''[\s\S]*?(?:'''|$(?![\s\S]))|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))|(?:\/\/|#)[^\r\n]*|[\s{}[\],:=]|(?:(?!\/\/|\/\*)[^\s"'{}[\],:=#])+/gy;
/** Names end before `:` in JSON and before `=` in TOML, where they can have several parts. */
const NAME_END = /(?:\s*:|(?:[\w.-]|"[^"\n]*"|'[^'\n]*')*[ \t]*=)/y;
const HARMLESS = new Set("stdio http sse streamable-http streamableHttp local remote true false null".split(" "));

/**
 * The lines of a configuration file for the preview of a change. Of strings, numbers and other values, only those that the
 * report contains are shown, and no comments.
 */
export function maskLines(text: string, reported: ReadonlySet<string>): readonly string[] {
  let output = "";
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const header = depth === 0 && /^[ \t]*$/.test(lineBefore(text, at)) ? tokenAt(HEADER, text, at) : undefined;
    // Every character starts a token.
    const token = header ?? tokenAt(TOKEN, text, at) ?? text.charAt(at);
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    at += token.length;
    output += header === undefined ? maskToken(token, text, at, reported) : redactText(header);
  }
  return output.split("\n");
}

function maskToken(token: string, text: string, end: number, reported: ReadonlySet<string>): string {
  if (/^[\s{}[\],:=]$/.test(token)) return token;
  const comment = /^(?:\/\/|\/\*|#)/.exec(token)?.[0];
  if (comment !== undefined) return `${comment} ${maskEachLine(token)}`;
  if (/^(?:"""|''')/.test(token)) return maskEachLine(token);
  const quote = /^["']/.test(token) ? token.charAt(0) : "";
  if (isName(quote, text, end)) return redactText(token);
  if (quote === "") return maskValue(token, reported);
  return `"${maskValue(token.slice(1, token.endsWith(quote) && token.length > 1 ? -1 : undefined), reported)}"`;
}

/** JSON has no names without quotes, and numbers of TOML can contain a colon. */
function isName(quote: string, text: string, end: number): boolean {
  const after = tokenAt(NAME_END, text, end);
  return after !== undefined && (quote !== "" || after.endsWith("="));
}

function maskValue(text: string, reported: ReadonlySet<string>): string {
  if (text === "" || reported.has(text) || HARMLESS.has(text)) return text;
  const url = /^https?:\/\//i.test(text) ? normalizeUrl(text) : "";
  return url !== "" && reported.has(url) ? url : REDACTED;
}

/** The number of lines stays the same. */
function maskEachLine(token: string): string {
  return token.replace(/[^\r\n]+/g, REDACTED);
}

function tokenAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function lineBefore(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
}

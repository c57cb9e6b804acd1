/** Removes tables from TOML by their lines. Entries that are written in another form are refused by the caller's check. */
import { parse } from "smol-toml";
import { isFields } from "../discover/parse-config.ts";
import type { Pointer } from "./remove-json.ts";

interface Header {
  readonly line: number;
  readonly path: readonly string[];
}

export interface RemovedTable {
  readonly text: string;
  /** The lines that were removed, to put them back into a file that changed. */
  readonly snippet: string;
}

/** Undefined if no table has this path. Lines keep their ends, which can be CRLF. */
export function removeFromToml(text: string, pointer: Pointer): RemovedTable | undefined {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const written = text.slice(mark.length).split("\n");
  const lines = written.map((line) => line.replace(/\r$/, ""));
  const headers = findHeaders(lines);
  const removed = new Set<number>();
  for (const [index, { line, path }] of headers.entries()) {
    if (!pointer.every((part, at) => path[at] === part)) continue;
    const next = headers[index + 1]?.line ?? lines.length;
    for (let at = line; at < lastOwnLine(lines, line, next); at++) removed.add(at);
  }
  if (removed.size === 0) return undefined;
  return {
    text: mark + written.filter((_line, at) => !removed.has(at)).join("\n"),
    snippet: `${written.filter((_line, at) => removed.has(at)).join("\n")}\n`,
  };
}

/** Comments and blank lines before the next table belong to that table. */
function lastOwnLine(lines: readonly string[], start: number, next: number): number {
  return start + lines.slice(start, next).findLastIndex((line) => !/^\s*(?:#.*)?$/.test(line)) + 1;
}

/** Table headers outside of multi-line strings. */
function findHeaders(lines: readonly string[]): Header[] {
  const headers: Header[] = [];
  let quote: string | undefined;
  for (const [line, text] of lines.entries()) {
    if (quote === undefined && /^\s*\[/.test(text)) {
      const path = headerPath(text);
      if (path !== undefined) headers.push({ line, path });
    }
    quote = quoteAfter(text, quote);
  }
  return headers;
}

function headerPath(line: string): readonly string[] | undefined {
  let value: unknown;
  try {
    value = parse(line);
  } catch {
    return undefined;
  }
  const path: string[] = [];
  while (isFields(value)) {
    const [key] = Object.keys(value);
    if (key === undefined) break;
    path.push(key);
    value = value[key];
  }
  return path;
}

/** Strings on one line, comments, and delimiters of multi-line strings. */
const TOML_TOKEN = /"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*/g;

/** The delimiter of a multi-line string that is open at the end of the line. */
function quoteAfter(line: string, open: string | undefined): string | undefined {
  let rest = line;
  if (open !== undefined) {
    const end = endOfMultiline(rest, open);
    if (end === undefined) return open;
    rest = rest.slice(end);
  }
  for (const { 0: token, index } of rest.matchAll(TOML_TOKEN)) {
    if (token === '"""' || token === "'''") return quoteAfter(rest.slice(index + 3), token);
  }
  return undefined;
}

function endOfMultiline(text: string, quote: string): number | undefined {
  for (let at = 0; at < text.length; at++) {
    if (quote === '"""' && text[at] === "\\") at++;
    else if (text.startsWith(quote, at)) return at + 3;
  }
  return undefined;
}

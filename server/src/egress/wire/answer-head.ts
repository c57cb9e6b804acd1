import { HEADER_NAME, HEADER_VALUE } from "../request-rules.ts";
import { BadAnswer } from "./bad-answer.ts";

/** Lower-case names; repeated headers are joined with a comma. */
export type AnswerHeaders = ReadonlyMap<string, string>;

export interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The number of bytes that follow, or how the end is marked. */
  readonly length: number | "chunked" | "until-close";
  /** How long the connection can be reused after this response; 0 if not at all, undefined if the peer did not say. */
  readonly keepMs: number | undefined;
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-9][0-9]{2}(?: [\t\x20-\x7e\x80-\xff]*)?$/;
/** Positions in the status line. */
const MINOR_AT = 7;
const STATUS_AT = 9;
const DIGITS = /^[0-9]{1,15}$/;
const KEEP_ALIVE_TIMEOUT = /(?:^|,)[ \t]*timeout=([0-9]{1,9})/i;
const MAX_HEADERS = 256;
const LINE_END = "\r\n";

/** Parses the text before the empty line. */
export function readHead(text: string): AnswerHead {
  let lineEnd = endOfLine(text, 0);
  const first = text.slice(0, lineEnd);
  if (!STATUS_LINE.test(first)) throw new BadAnswer("sent something that is not an HTTP response");
  const minor = first.charAt(MINOR_AT);
  const headers = new Map<string, string>();
  for (let lines = 1; lineEnd < text.length; lines++) {
    if (lines >= MAX_HEADERS) throw new BadAnswer("sent too many headers", "too-large");
    const start = lineEnd + LINE_END.length;
    lineEnd = endOfLine(text, start);
    addHeader(headers, text.slice(start, lineEnd));
  }
  return {
    status: Number(first.slice(STATUS_AT, STATUS_AT + 3)),
    headers,
    length: bodyLength(headers, minor),
    keepMs: keepMs(headers, minor),
  };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf(LINE_END, from);
  return end === -1 ? text.length : end;
}

/** A folded line begins with white space, so its "name" is rejected here (RFC 9112 5.2). */
function addHeader(headers: Map<string, string>, line: string): void {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon));
  const value = trimmed(line, colon + 1);
  if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) throw new BadAnswer("sent an invalid header");
  const key = name.toLowerCase();
  const before = headers.get(key);
  headers.set(key, before === undefined ? value : `${before}, ${value}`);
}

/** Removes only surrounding spaces and tabs; `trim` would remove more. */
function trimmed(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/**
 * Rejects both framings together, a repeated one, and unknown codings, because all have been used for response
 * smuggling.
 */
function bodyLength(headers: AnswerHeaders, minor: string): AnswerHead["length"] {
  const coding = headers.get("transfer-encoding");
  const length = headers.get("content-length");
  if (coding !== undefined) {
    if (length !== undefined || minor === "0" || coding.toLowerCase() !== "chunked") {
      throw new BadAnswer("sent a response with an ambiguous length");
    }
    return "chunked";
  }
  if (length === undefined) return "until-close";
  if (!DIGITS.test(length)) throw new BadAnswer("sent a response with an ambiguous length");
  return Number(length);
}

function keepMs(headers: AnswerHeaders, minor: string): number | undefined {
  const connection = headers.get("connection")?.toLowerCase();
  if (minor === "0" || (connection !== undefined && connection !== "keep-alive")) return 0;
  const seconds = KEEP_ALIVE_TIMEOUT.exec(headers.get("keep-alive") ?? "")?.[1];
  // One second less than announced: a request that meets the closing of its connection is lost and not sent again.
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) - 1) * 1000;
}

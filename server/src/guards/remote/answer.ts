import { isObject } from "#lib/is-object";
import type { Range } from "#lib/json/scan";
import type { JoinedText } from "./joined-text.ts";

export interface TextSpan extends Range {
  readonly replacement?: string | undefined;
}

export interface RemoteAnswer {
  readonly score: number;
  /** In UTF-16 units of the joined text. */
  readonly spans: readonly TextSpan[];
  /** What replaces the only text of the payload. */
  readonly text: string | undefined;
}

const MAX_SPANS = 1000;
const MAX_REPLACEMENT_LENGTH = 1000;

/**
 * Reads the answer of a webhook (`{score, reason?, spans?, text?}`) or of a judge (`{score, reason}`) strictly: what
 * does not match leads to the guard's `on_error`. The reason is not kept, because it can quote the text.
 */
export function readAnswer(body: string, isWebhook: boolean, joined: JoinedText, texts: number): RemoteAnswer {
  const answer: unknown = JSON.parse(body);
  if (!isObject(answer)) throw new TypeError("the answer is not an object");
  const allowed = isWebhook ? ["score", "reason", "spans", "text"] : ["score", "reason"];
  const unknown = Object.keys(answer).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw new TypeError("the answer has an unknown member");
  const { score, reason, spans = [], text } = answer;
  if (typeof score !== "number" || !(score >= 0 && score <= 10))
    throw new TypeError("score is not a number from 0 to 10");
  if (reason !== undefined && reason !== null && typeof reason !== "string")
    throw new TypeError("reason is not a string");
  if (text !== undefined && (typeof text !== "string" || texts !== 1)) throw new TypeError("text is not expected");
  if (!Array.isArray(spans) || spans.length > MAX_SPANS) throw new TypeError("spans is not a list");
  return { score, spans: toUnits(spans.map(readSpan), joined.text), text };
}

function readSpan(span: unknown): TextSpan {
  if (!isObject(span)) throw new TypeError("a span is not an object");
  const { start, end, replacement } = span;
  if (!Number.isInteger(start) || !Number.isInteger(end)) throw new TypeError("a span has no offsets");
  if (replacement !== undefined && (typeof replacement !== "string" || replacement.length > MAX_REPLACEMENT_LENGTH)) {
    throw new TypeError("a replacement is not a text");
  }
  return { start: start as number, end: end as number, replacement };
}

/** Offsets of answers count characters (code points), as most languages do. */
function toUnits(spans: readonly TextSpan[], text: string): TextSpan[] {
  if (spans.length === 0) return [];
  const units: number[] = [];
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) units.push(at);
  units.push(text.length);
  return spans.map(({ start, end, replacement }) => {
    const from = units[start];
    const to = units[end];
    if (from === undefined || to === undefined || end <= start) throw new TypeError("a span is outside of the text");
    return { start: from, end: to, replacement };
  });
}

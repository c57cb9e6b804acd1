export interface Span {
  readonly start: number;
  readonly end: number;
  /** Why the text is marked. */
  readonly label: string;
}

export interface TextPart {
  readonly text: string;
  /** Where the part starts in the text. */
  readonly start: number;
  /** Why the part is marked; undefined: it is not. */
  readonly label: string | undefined;
  /** The part is one invisible character, shown as this, such as `U+200B`. */
  readonly hidden: string | undefined;
}

/** Characters that a reader cannot see: controls, format characters, variation selectors, and blank letters. */
const HIDDEN =
  /(?![\t\n\r])\p{Cc}|\p{Cf}|[\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u3164\uffa0]|[\u{e0100}-\u{e01ef}]/gu;
/** Hidden text can have thousands of characters. */
const MAX_HIDDEN = 500;

/** Splits a text at the spans, and at its invisible characters. Overlapping spans are joined, with the first label. */
export function splitText(text: string, spans: readonly Span[]): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const span of joined(spans, text.length)) {
    pushVisible(parts, text, at, span.start, undefined);
    pushVisible(parts, text, span.start, span.end, span.label);
    at = span.end;
  }
  pushVisible(parts, text, at, text.length, undefined);
  return parts;
}

function joined(spans: readonly Span[], length: number): Span[] {
  const sorted = spans.filter(({ start, end }) => start < end && end <= length).sort((a, b) => a.start - b.start);
  const found: Span[] = [];
  for (const span of sorted) {
    const last = found.at(-1);
    if (last === undefined || span.start > last.end) found.push(span);
    else found[found.length - 1] = { ...last, end: Math.max(last.end, span.end) };
  }
  return found;
}

function pushVisible(parts: TextPart[], text: string, start: number, end: number, label: string | undefined): void {
  const push = (from: number, to: number, hidden?: string) => {
    if (from < to) parts.push({ text: text.slice(from, to), start: from, label, hidden });
  };
  let at = start;
  let count = 0;
  for (const match of text.slice(start, end).matchAll(HIDDEN)) {
    if (++count > MAX_HIDDEN) break;
    const from = start + match.index;
    push(at, from);
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    push(from, from + match[0].length, `U+${code}`);
    at = from + match[0].length;
  }
  push(at, end);
}

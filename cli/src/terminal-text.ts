/** Characters that move the cursor, hide or reverse text, or start a new line. The joiner of emoji is allowed. */
const UNSAFE = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const UNSAFE_BUT_LINES = /(?![\u200d\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Escapes control characters and line breaks, so that text of a server cannot control the terminal. */
export function oneLine(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same, but keeps line breaks and tabs. */
export function manyLines(text: string): string {
  return text.replace(UNSAFE_BUT_LINES, escaped);
}

/** JSON.stringify does not escape all unsafe characters; escaping them does not change the value. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE_BUT_LINES, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return NAMED[character] ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
/** East Asian wide and fullwidth blocks, and emoji by property. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** How many columns of a terminal the text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (/^\p{M}/u.test(segment)) continue;
    width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}

/** Truncates text to a number of columns, with an ellipsis. */
export function shortened(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let cut = "";
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > columns) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** What could move the cursor, hide text, turn its direction or begin a new row. A joiner of emoji is left alone. */
const UNSAFE = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const UNSAFE_BUT_LINES = /(?![\u200d\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** On one line, and harmless: what a server says never reaches the terminal raw. */
export function oneLine(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same, with its lines and tabs. */
export function manyLines(text: string): string {
  return text.replace(UNSAFE_BUT_LINES, escaped);
}

/** JSON says the same with more escapes, and JSON.stringify leaves some of what is unsafe as it is. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE_BUT_LINES, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return NAMED[character] ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
/** East Asian wide and fullwidth blocks; emoji are asked for by property. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** How many columns a terminal gives it. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (/^\p{M}/u.test(segment)) continue;
    width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}

/** Cut to so many columns, with a sign that it was. */
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

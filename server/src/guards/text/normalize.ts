import type { Range } from "#lib/json/scan";

/**
 * The text as a reader or a model perceives it: compatibility forms (full-width digits, ligatures, mathematical letters)
 * are replaced, invisible characters and combining marks are removed, and `\u0041` in nested JSON is decoded. Checks run
 * on the original text and on this one, and spans are mapped back.
 */
export interface NormalizedText {
  readonly text: string;
  /** The part of the original text that became `span`, including removed characters inside it. */
  toOriginal(span: Range): Range;
}

/** Ranges of characters that are not displayed: joiners, direction controls, fillers, variation selectors, tags. */
const INVISIBLE: readonly (readonly [number, number])[] = [
  ...([
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x61c, 0x61c],
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
    [0x180b, 0x180f],
  ] as const),
  ...([
    [0x200b, 0x200f],
    [0x202a, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xfe00, 0xfe0f],
  ] as const),
  ...([
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xfff0, 0xfff8],
    [0xe0000, 0xe0fff],
  ] as const),
];
/** Marks that are used with letters of several scripts. Vowel signs of a script are part of its words. */
const COMBINING = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const HEX4 = /^[0-9A-Fa-f]{4}$/;
/** Texts use few different characters, so their normal forms are remembered; a hostile text cannot fill the memory. */
const MAX_REMEMBERED = 4096;

/** Cyrillic and Greek letters that look like Latin ones, in both orders of the string. */
const LOOKALIKES = new Map(
  [..."аaеeоoрpсcуyхxіiјjѕsԁdһhӏlАAВBЕEКKМMНHОOРPСCТTХXΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoαaιi"].reduce<[string, string][]>(
    (pairs, char, index, all) => {
      if (index % 2 === 0) pairs.push([char, all[index + 1] ?? ""]);
      return pairs;
    },
    [],
  ),
);

const remembered = new Map<string, string>();

/** A part of the text that normalization changes. Everything between two parts is copied. */
interface Piece {
  /** In the normalized text. */
  readonly start: number;
  readonly end: number;
  /** In the original text. */
  readonly from: number;
  readonly to: number;
}

/** Returns undefined if the text is its own normal form, which most texts are. */
export function normalizeText(text: string): NormalizedText | undefined {
  const pieces: Piece[] = [];
  let output = "";
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code < 0x7f && code !== 0x5c && code >= 0x20) {
      at++;
      continue;
    }
    const width = widthAt(text, at);
    const source = text.slice(at, at + width);
    const normal = width === 6 ? decodeEscape(source) : normalForm(source);
    if (normal !== source) {
      output += text.slice(copied, at);
      pieces.push({ start: output.length, end: output.length + normal.length, from: at, to: at + width });
      output += normal;
      copied = at + width;
    }
    at += width;
  }
  if (pieces.length === 0) return undefined;
  return { text: output + text.slice(copied), toOriginal: (span) => toOriginal(pieces, span) };
}

function toOriginal(pieces: readonly Piece[], { start, end }: Range): Range {
  const first = pieces[lastPieceAt(pieces, start)];
  const at = lastPieceAt(pieces, end - 1);
  const last = pieces[at];
  let to = last === undefined ? end : end - 1 < last.end ? last.to : last.to + end - last.end;
  // Marks and invisible characters belong to the character before them.
  for (let next = at + 1; pieces[next]?.from === to && pieces[next]?.start === pieces[next]?.end; next++) {
    to = pieces[next]?.to ?? to;
  }
  const from = first === undefined ? start : start < first.end ? first.from : first.to + start - first.end;
  return { start: from, end: to };
}

/** The index of the last piece that starts at or before the offset; -1 if there is none. */
function lastPieceAt(pieces: readonly Piece[], offset: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function widthAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x5c && text.charCodeAt(at + 1) === 0x75 && HEX4.test(text.slice(at + 2, at + 6))) return 6;
  return code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

function decodeEscape(source: string): string {
  return normalForm(String.fromCharCode(Number.parseInt(source.slice(2), 16)));
}

function normalForm(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x80) return isControl(code) ? "" : char;
  // Ideographs and Hangul syllables are their own normal form.
  if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3)) return char;
  const known = remembered.get(char);
  if (known !== undefined) return known;
  const normal = isInvisible(char) ? "" : (LOOKALIKES.get(char) ?? withoutMarks(char));
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(char, normal);
  return normal;
}

function withoutMarks(char: string): string {
  const bare = char.normalize("NFKD").replace(COMBINING, "");
  return LOOKALIKES.get(bare) ?? bare.normalize("NFC");
}

function isInvisible(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return INVISIBLE.some(([from, to]) => code >= from && code <= to);
}

/** Control characters other than tab, line feed and carriage return. */
function isControl(code: number): boolean {
  return (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || code === 0x7f;
}

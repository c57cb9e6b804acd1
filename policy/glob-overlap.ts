/** Whether two globs can match the same text. Sets of characters count as overlapping, so the answer errs towards yes. */
import { type Token, tokensOf } from "./globs.ts";

/** A character, or with `repeats` any number of characters. */
interface Piece {
  readonly repeats: boolean;
  readonly char?: string | undefined;
  readonly accepts: (char: string) => boolean;
}
/** Sequences of which one must match. Undefined: unknown, so it overlaps with everything. */
export type Pattern = readonly (readonly Piece[])[] | undefined;

const ANYTHING: Piece = { repeats: true, accepts: () => true };
const NO_SLASH: Piece = { repeats: true, accepts: (char) => char !== "/" };
const NO_HOST = /[/:?#]/;

export function globPattern(glob: string): Pattern {
  return tokensOf(glob)?.map((tokens) => tokens.map(pieceOf));
}

export function textPattern(text: string): Pattern {
  return [[...text.toLowerCase()].map(literal)];
}

/** The URL, and everything below it. */
export function pathPattern(url: string): Pattern {
  const pieces = [...url.toLowerCase()].map(literal);
  return [pieces, [...pieces, literal("/"), ANYTHING]];
}

/** Normalized URLs whose host matches the glob. */
export function hostUrlPattern(glob: string): Pattern {
  const start = [NO_SLASH, ...[..."://"].map(literal)];
  return globPattern(glob)?.flatMap((pieces) => {
    const host = pieces.map((piece) => (piece.char === undefined ? insideHost(piece) : piece));
    const ends = [[], [literal(":"), ANYTHING], [literal("/"), ANYTHING]];
    return ends.map((end) => [...start, ...host, ...end]);
  });
}

export function overlap(a: Pattern, b: Pattern): boolean {
  if (a === undefined || b === undefined) return true;
  return a.some((left) => b.some((right) => sequencesOverlap(left, right)));
}

/** Walks through both sequences in all ways in which they accept the same characters. */
function sequencesOverlap(left: readonly Piece[], right: readonly Piece[]): boolean {
  const width = right.length + 1;
  const seen = new Uint8Array((left.length + 1) * width);
  const pending = [0];
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    if (seen[state] === 1) continue;
    seen[state] = 1;
    const [a, b] = [left[Math.floor(state / width)], right[state % width]];
    if (a === undefined && b === undefined) return true;
    pending.push(...stepsOf(a, b, width).map((step) => state + step));
  }
  return false;
}

/** Ends a repetition, or accepts one character with both pieces. */
function stepsOf(a: Piece | undefined, b: Piece | undefined, width: number): number[] {
  const steps: number[] = [];
  if (a?.repeats) steps.push(width);
  if (b?.repeats) steps.push(1);
  if (a && b && acceptSame(a, b)) steps.push((a.repeats ? 0 : width) + (b.repeats ? 0 : 1));
  return steps;
}

function acceptSame(a: Piece, b: Piece): boolean {
  if (a.char !== undefined) return b.accepts(a.char);
  return b.char === undefined || a.accepts(b.char);
}

function pieceOf(token: Token): Piece {
  return token.kind === "star" ? ANYTHING : { repeats: false, char: token.char, accepts: token.accepts };
}

function insideHost({ repeats, accepts }: Piece): Piece {
  return { repeats, accepts: (char) => !NO_HOST.test(char) && accepts(char) };
}

function literal(char: string): Piece {
  return { repeats: false, char, accepts: (other) => other === char };
}

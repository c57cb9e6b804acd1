import type { Range } from "#lib/json/scan";
import { AhoCorasick } from "./aho-corasick.ts";

/**
 * Finds all literals that the checks of a set of guards require, in one pass over each text. A check whose literals do
 * not occur costs nothing. Literals are matched regardless of ASCII case and of the amount of white space.
 */
export class LiteralRegistry {
  readonly #ids = new Map<string, number>();

  /** Returns the id of the literal, under which its hits are found. */
  add(literal: string): number {
    const key = literal.toLowerCase();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(key, id);
    return id;
  }

  build(): LiteralScanner {
    return new LiteralScanner([...this.#ids.keys()]);
  }
}

export class LiteralScanner {
  readonly #automaton: AhoCorasick;
  readonly #size: number;
  /** For each literal, the scan that found it last, and its place among the hits of that scan. */
  readonly #scanOf: Uint32Array;
  readonly #placeOf: Uint32Array;
  #scan = 0;

  constructor(literals: readonly string[]) {
    this.#automaton = new AhoCorasick(literals, { foldAscii: true, foldSpace: true });
    this.#size = literals.length;
    this.#scanOf = new Uint32Array(literals.length);
    this.#placeOf = new Uint32Array(literals.length);
  }

  scan(text: string): LiteralHits {
    if (this.#size === 0) return NO_HITS;
    const scan = ++this.#scan;
    let hits: LiteralHits | undefined;
    this.#automaton.search(text, (literal, start) => {
      hits ??= new LiteralHits();
      if (this.#scanOf[literal] !== scan) {
        this.#scanOf[literal] = scan;
        this.#placeOf[literal] = hits.ids.length;
      }
      hits.add(literal, start, this.#placeOf[literal] as number);
    });
    return hits ?? NO_HITS;
  }
}

const NO_POSITIONS: readonly number[] = [];

/** Where literals occur in one text. */
export class LiteralHits {
  /** The literals that occur; few do in most texts. */
  readonly ids: number[] = [];
  readonly #positions: number[][] = [];

  /** `place` is the index of the literal among those that occur. */
  add(id: number, start: number, place: number): void {
    const list = this.#positions[place];
    if (list !== undefined) {
      list.push(start);
      return;
    }
    this.ids.push(id);
    this.#positions.push([start]);
  }

  hasAny(ids: readonly number[]): boolean {
    for (const id of this.ids) if (ids.includes(id)) return true;
    return false;
  }

  /** Start offsets, ascending. */
  positions(id: number): readonly number[] {
    return this.#positions[this.ids.indexOf(id)] ?? NO_POSITIONS;
  }

  /** The parts of a text of this length that are near one of the literals: ascending, without overlaps. */
  windows(ids: readonly number[], length: number, before: number, after: number): Range[] {
    if (length <= before) return [{ start: 0, end: length }];
    const windows: { start: number; end: number }[] = [];
    const positions = ids.flatMap((id) => this.positions(id)).sort((one, other) => one - other);
    for (const position of positions) {
      const last = windows.at(-1);
      const end = Math.min(length, position + after);
      if (last !== undefined && position - before <= last.end) last.end = end;
      else windows.push({ start: Math.max(0, position - before), end });
    }
    return windows;
  }
}

const NO_HITS = new LiteralHits();

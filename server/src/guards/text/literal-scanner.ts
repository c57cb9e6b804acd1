import { AhoCorasick } from "./aho-corasick.ts";

/**
 * Finds all literals that the checks of a set of guards require, in one pass over each text. A check whose literals do
 * not occur costs nothing. Literals are matched regardless of ASCII case.
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

  constructor(literals: readonly string[]) {
    this.#automaton = new AhoCorasick(literals, { foldAscii: true });
    this.#size = literals.length;
  }

  scan(text: string): LiteralHits {
    if (this.#size === 0) return NO_HITS;
    let hits: LiteralHits | undefined;
    this.#automaton.search(text, (literal, start) => {
      hits ??= new LiteralHits();
      hits.add(literal, start);
    });
    return hits ?? NO_HITS;
  }
}

const NO_POSITIONS: readonly number[] = [];

/** Where literals occur in one text. */
export class LiteralHits {
  readonly #positions = new Map<number, number[]>();

  add(id: number, start: number): void {
    const list = this.#positions.get(id);
    if (list === undefined) this.#positions.set(id, [start]);
    else list.push(start);
  }

  /** How many different literals occur. */
  get size(): number {
    return this.#positions.size;
  }

  hasAny(ids: readonly number[]): boolean {
    if (this.#positions.size === 0) return false;
    for (const id of ids) if (this.#positions.has(id)) return true;
    return false;
  }

  /** Start offsets, ascending. */
  positions(id: number): readonly number[] {
    return this.#positions.get(id) ?? NO_POSITIONS;
  }
}

const NO_HITS = new LiteralHits();

/**
 * Finds all occurrences of many words in one pass (Aho and Corasick, 1975), in time linear in the text.
 *
 * Characters are grouped into classes, so that small vocabularies get a dense transition table. Large ones use a map of
 * the edges that exist and follow failure links.
 */
const DENSE_LIMIT = 512 * 1024;

export interface AhoCorasickOptions {
  /** Treats A to Z like a to z. */
  readonly foldAscii?: boolean;
  /** Treats any sequence of white space like one space. Then the start of a hit with a space inside is approximate. */
  readonly foldSpace?: boolean;
}

type Hit = (word: number, start: number) => void;

export class AhoCorasick {
  readonly #words: readonly string[];
  readonly #fold: boolean;
  /** The class of white space, if sequences of it are one character; otherwise no class. */
  #space = -1;
  /** Class of each UTF-16 unit; class 0 occurs in no word. */
  readonly #classes = new Uint16Array(0x10000);
  #classCount = 1;
  /** Edges of the trie: key is state * classCount + class. */
  readonly #edges = new Map<number, number>();
  readonly #fail: number[] = [0];
  /** The word that ends in a state, or -1. */
  readonly #word: number[] = [-1];
  /** The next state on the chain of failure links in which a word ends, or 0. */
  readonly #output: number[] = [0];
  /** For each state and class, the row of the next state; its complement if a word ends there. */
  readonly #dense: Int32Array | undefined;
  /** 1 for states in which a word ends, directly or by a failure link. */
  #endsWord = new Uint8Array(0);

  /** Words must be distinct and not empty. */
  constructor(words: readonly string[], options: AhoCorasickOptions = {}) {
    this.#fold = options.foldAscii ?? false;
    this.#words = words.map((word) => (this.#fold ? foldAscii(word) : word));
    this.#assignClasses(options.foldSpace ?? false);
    this.#words.forEach((word, index) => void this.#insert(word, index));
    this.#link();
    if (this.#fail.length * this.#classCount <= DENSE_LIMIT) this.#dense = this.#tabulate();
  }

  search(text: string, hit: Hit): void {
    const dense = this.#dense;
    if (dense === undefined) return this.#searchSparse(text, hit);
    const classes = this.#classes;
    const space = this.#space;
    let row = 0;
    let previous = 0;
    for (let at = 0; at < text.length; at++) {
      // All indexes are in range by construction.
      const unitClass = classes[text.charCodeAt(at)] as number;
      if (unitClass === space && previous === space) continue;
      previous = unitClass;
      row = dense[row + unitClass] as number;
      if (row < 0) {
        row = ~row;
        this.#report(row / this.#classCount, at + 1, hit);
      }
    }
  }

  #searchSparse(text: string, hit: Hit): void {
    let state = 0;
    let previous = 0;
    for (let at = 0; at < text.length; at++) {
      const unitClass = this.#classes[text.charCodeAt(at)] as number;
      if (unitClass === this.#space && previous === this.#space) continue;
      previous = unitClass;
      state = this.#next(state, unitClass);
      if (this.#endsWord[state] === 1) this.#report(state, at + 1, hit);
    }
  }

  #next(from: number, unitClass: number): number {
    if (unitClass === 0) return 0;
    for (let state = from; ; state = this.#fail[state] as number) {
      const next = this.#edges.get(state * this.#classCount + unitClass);
      if (next !== undefined) return next;
      if (state === 0) return 0;
    }
  }

  #report(from: number, end: number, hit: Hit): void {
    for (let state = from; state !== 0; state = this.#output[state] as number) {
      const word = this.#word[state] as number;
      if (word >= 0) hit(word, end - (this.#words[word] as string).length);
    }
  }

  #assignClasses(foldSpace: boolean): void {
    for (const word of this.#words) {
      for (let at = 0; at < word.length; at++) {
        const unit = word.charCodeAt(at);
        if (this.#classes[unit] === 0) this.#classes[unit] = this.#classCount++;
      }
    }
    if (foldSpace && this.#classes[0x20] !== 0) {
      this.#space = this.#classes[0x20] as number;
      for (const unit of [0x09, 0x0a, 0x0d, 0xa0]) this.#classes[unit] = this.#space;
    }
    if (!this.#fold) return;
    for (let upper = 0x41; upper <= 0x5a; upper++) this.#classes[upper] = this.#classes[upper + 32] as number;
  }

  #insert(word: string, index: number): void {
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const key = state * this.#classCount + (this.#classes[word.charCodeAt(at)] as number);
      let next = this.#edges.get(key);
      if (next === undefined) {
        next = this.#fail.length;
        this.#fail.push(0);
        this.#word.push(-1);
        this.#output.push(0);
        this.#edges.set(key, next);
      }
      state = next;
    }
    this.#word[state] = index;
  }

  /** Sets failure links breadth first: a state is linked before its children. */
  #link(): void {
    const children: [number, number][][] = this.#fail.map(() => []);
    for (const [key, child] of this.#edges) {
      children[Math.floor(key / this.#classCount)]?.push([key % this.#classCount, child]);
    }
    const queue = [0];
    for (const state of queue) {
      for (const [unitClass, child] of children[state] ?? []) {
        const fail = state === 0 ? 0 : this.#next(this.#fail[state] as number, unitClass);
        this.#fail[child] = fail;
        this.#output[child] = (this.#word[fail] as number) >= 0 ? fail : (this.#output[fail] as number);
        queue.push(child);
      }
    }
    this.#endsWord = Uint8Array.from(this.#word, (word, state) => (word >= 0 || this.#output[state] !== 0 ? 1 : 0));
  }

  #tabulate(): Int32Array {
    const count = this.#classCount;
    const table = new Int32Array(this.#fail.length * count);
    for (let state = 0; state < this.#fail.length; state++) {
      for (let unitClass = 1; unitClass < count; unitClass++) {
        const next = this.#next(state, unitClass);
        table[state * count + unitClass] = this.#endsWord[next] === 1 ? ~(next * count) : next * count;
      }
    }
    return table;
  }
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

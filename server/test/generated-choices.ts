import { SeededRandom } from "./seed.ts";

/** People that groups and machine users refer to. They are not part of the configuration. */
export const PEOPLE = ["ada@example.com", "grace@example.com", "Linus@example.com"];
export const UPSTREAM = "http://127.0.0.1:65001";

/** The names of generated objects that others refer to. */
export interface Names {
  readonly servers: string[];
  readonly machines: string[];
  readonly groups: string[];
  readonly skills: string[];
  readonly commands: string[];
  readonly toolkits: string[];
  readonly issuers: string[];
}

export class Choices {
  readonly #random = new SeededRandom();

  constructor(seed: number) {
    this.#random.seed(seed);
  }

  from(minimum: number, maximum: number): number {
    return minimum + Math.floor(this.#random.next() * (maximum - minimum + 1));
  }

  chance(share = 0.5): boolean {
    return this.#random.next() < share;
  }

  one<Value>(values: readonly Value[]): Value {
    const value = values[this.from(0, values.length - 1)];
    if (value === undefined) throw new Error("nothing to choose from");
    return value;
  }

  some<Value>(values: readonly Value[]): Value[] {
    return values.filter(() => this.chance());
  }

  /** Each field is there or omitted. */
  maybe(fields: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(fields).filter(() => this.chance(0.7)));
  }

  text(what: string): string {
    return `${what} ${this.from(1, 999)}${this.one(["", " – ünïcode 漢字 🚀", ' "quoted"\n\ttext: yes', " # no comment"])}`;
  }

  /** Unique, so that a test finds it wherever it appears. */
  secret(): string {
    return `throwaway-${this.from(100_000, 999_999)}-${this.from(100_000, 999_999)}`;
  }
}

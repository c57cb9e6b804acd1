import { keyOf, type Leaf } from "../text/leaf.ts";
import type { LiteralHits } from "../text/literal-scanner.ts";
import type { TextProfile } from "../text/profile.ts";

/** Characters before and after a match in which context words count. */
const CONTEXT_CHARACTERS = 40;
/** A context word makes a finding this much more certain. */
export const CONTEXT_BONUS = 2;

/** One text in one form: as it is, normalized, or decoded from base64. */
export class TextForm {
  readonly text: string;
  readonly profile: TextProfile;
  readonly hits: LiteralHits;
  readonly #leaf: Leaf;
  readonly #isWhole: boolean;
  #key: string | undefined;
  #lower: string | undefined;

  /** `isWhole` is false if the text is only a part of the leaf. */
  constructor(text: string, profile: TextProfile, hits: LiteralHits, leaf: Leaf, isWhole = true) {
    this.text = text;
    this.profile = profile;
    this.hits = hits;
    this.#leaf = leaf;
    this.#isWhole = isWhole;
  }

  /** The key that describes the entire text, in lower case; empty if there is none. */
  get key(): string {
    this.#key ??= this.#isWhole ? keyOf(this.#leaf).toLowerCase() : "";
    return this.#key;
  }

  /** Lower case with the same offsets. */
  get lower(): string {
    this.#lower ??= lowerCase(this.text);
    return this.#lower;
  }

  /** Whether the key or the text around the span matches. `words` must match within a few characters. */
  hasContext(start: number, end: number, words: RegExp): boolean {
    if (this.key !== "" && words.test(this.key)) return true;
    const before = this.lower.slice(Math.max(0, start - CONTEXT_CHARACTERS), start);
    return words.test(before) || words.test(this.lower.slice(end, end + CONTEXT_CHARACTERS));
  }
}

/** A pattern for context words: they start where no letter precedes, so "card" is not found in "discard". */
export function contextWords(words: readonly string[]): RegExp {
  return new RegExp(`(?<![a-z])(?:${words.join("|")})`);
}

export function withContext(certainty: number, isNear: boolean): number {
  return isNear ? Math.min(10, certainty + CONTEXT_BONUS) : certainty;
}

/** `replacement` is the text that a redaction puts in place of the span. */
export type Report = (start: number, end: number, certainty: number, replacement?: string) => void;

/** A check that examines one text. */
export interface TextCheck {
  /** Ids of literals of which one must occur; undefined: none is required. */
  readonly triggers: readonly number[] | undefined;
  /** A key that has the same effect as a literal. */
  readonly keyTrigger?: RegExp | undefined;
  /** Nothing can be found in shorter texts of ASCII characters. */
  readonly minLength: number;
  /** How many digits the text must contain. */
  readonly minDigits: number;
  /** Whether texts in base64 are examined too. */
  readonly readsBase64: boolean;
  scan(form: TextForm, report: Report): void;
}

/** `[REDACTED-CREDIT-CARD]` for `credit_card` or "Credit card". */
export function replacementFor(name: string): string {
  return `[REDACTED-${name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "-")
    .replace(/^-|-$/g, "")}]`;
}

function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  // A few letters, such as İ, become longer; then only ASCII is folded.
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

import type { TextForm } from "../checks/text-check.ts";
import { isDigitAt, isWordAt } from "../text/char-table.ts";

export type Find = (start: number, end: number, certainty: number) => void;

/**
 * Recognizes one kind of personal data. Patterns are V8 regular expressions with bounded quantifiers, so that they take
 * a constant time per character; `engine.test.ts` runs them on hostile texts.
 */
export interface Recognizer {
  readonly entity: string;
  /** One of these must occur; undefined: none is required. */
  readonly literals?: readonly string[];
  /** A key that makes the literals unnecessary. */
  readonly keyTrigger?: RegExp;
  readonly minDigits: number;
  /** The longest sequence of letters and digits must have this length. */
  readonly minRun?: number;
  /** `literals` are the ids of the literals above. */
  find(form: TextForm, found: Find, literals: readonly number[]): void;
}

/** Whether letters, digits, or digits behind a separator continue the match. */
export function isJoined(text: string, start: number, end: number): boolean {
  if (isWordAt(text, start - 1) || isWordAt(text, end)) return true;
  if (/[-./]/.test(text[start - 1] ?? "") && isWordAt(text, start - 2)) return true;
  return /[-./]/.test(text[end] ?? "") && isDigitAt(text, end + 1);
}

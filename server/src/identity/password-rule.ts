import { fold } from "#lib/fold";

const MIN_LENGTH = 12;
const MAX_LENGTH = 256;
/** Characters that must remain after common guesses are removed. */
const MIN_REMAINING = 6;
const COMMON_GUESSES =
  /pass(?:wor[dt]|phrase)?|p[a4@][s$5]{2}w[o0]rd|kennwort|welcome|willkommen|letmein|qwert[yz]?(?:uiop)?|asdf(?:gh)?(?:jkl)?|[yz]xcvb?n?m?|admin(?:istrator)?|gatehouse|secret|change ?me|i ?love ?you|dragon|monkey|football|summer|winter|spring|autumn|default|login|access|master|test|hello|trustno1|(?:19|20)\d\d/g;

/** Returns the rest of a sentence that starts with the field's name, or undefined if the password is strong enough. */
export function passwordFault(password: string, about: readonly string[]): string | undefined {
  const text = password.normalize("NFKC");
  const length = [...text].length;
  if (length < MIN_LENGTH) return `must have at least ${MIN_LENGTH} characters`;
  if (length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (!text.isWellFormed()) return "must be text";
  return isEasy(fold(text), about) ? "is too easy to guess" : undefined;
}

/** A simple rule without a word list: names, common guesses, runs, and repetitions do not count. */
function isEasy(text: string, about: readonly string[]): boolean {
  const own = about.flatMap((each) => fold(each).split(/[\s@.+_-]+/)).filter((word) => word.length >= 3);
  let left = text;
  for (const word of own.sort((a, b) => b.length - a.length)) left = left.replaceAll(word, "");
  left = left.replace(COMMON_GUESSES, "").replace(/(.{1,6}?)\1+/gsu, "$1");
  return withoutRuns(left).length < MIN_REMAINING || new Set(left).size < MIN_REMAINING - 1;
}

/** Counts a run such as `abcd` or `4321` as one character. */
function withoutRuns(text: string): string {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  return points
    .filter((point, index) => Math.abs(point - (points[index - 1] ?? Number.NaN)) !== 1)
    .map((point) => String.fromCodePoint(point))
    .join("");
}

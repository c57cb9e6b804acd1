import { fold } from "#lib/fold";

const SHORTEST = 12;
const LONGEST = 256;
/** How much must be left of a password when everything is taken away that a guesser tries first. */
const LEAST_LEFT = 6;
const FIRST_GUESSES =
  /pass(?:wor[dt]|phrase)?|p[a4@][s$5]{2}w[o0]rd|kennwort|welcome|willkommen|letmein|qwert[yz]?(?:uiop)?|asdf(?:gh)?(?:jkl)?|[yz]xcvb?n?m?|admin(?:istrator)?|gatehouse|secret|change ?me|i ?love ?you|dragon|monkey|football|summer|winter|spring|autumn|default|login|access|master|test|hello|trustno1|(?:19|20)\d\d/g;

/** Undefined: good enough. Otherwise what to say behind the field's name. */
export function passwordFault(password: string, about: readonly string[]): string | undefined {
  const text = password.normalize("NFKC");
  const length = [...text].length;
  if (length < SHORTEST) return `must have at least ${SHORTEST} characters`;
  if (length > LONGEST) return `must have at most ${LONGEST} characters`;
  if (!text.isWellFormed()) return "must be text";
  return isEasy(fold(text), about) ? "is too easy to guess" : undefined;
}

/** Our own small rule, without a list from outside: names, first guesses, runs and repetitions count for nothing. */
function isEasy(text: string, about: readonly string[]): boolean {
  const own = about.flatMap((each) => fold(each).split(/[\s@.+_-]+/)).filter((word) => word.length >= 3);
  let left = text;
  for (const word of own.sort((a, b) => b.length - a.length)) left = left.replaceAll(word, "");
  left = left.replace(FIRST_GUESSES, "").replace(/(.{1,6}?)\1+/gsu, "$1");
  return withoutRuns(left).length < LEAST_LEFT || new Set(left).size < LEAST_LEFT - 1;
}

/** `abcd`, `4321`: neighbours count as one character. */
function withoutRuns(text: string): string {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  return points
    .filter((point, index) => Math.abs(point - (points[index - 1] ?? Number.NaN)) !== 1)
    .map((point) => String.fromCodePoint(point))
    .join("");
}

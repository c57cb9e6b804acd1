const NONE: readonly RegExpExecArray[] = [];

/** Like `matchAll`, without the copy of the pattern that it makes each time. The pattern must be global. */
export function allMatches(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (match === null) return NONE;
  const matches: RegExpExecArray[] = [];
  for (; match !== null; match = pattern.exec(text)) matches.push(match);
  return matches;
}

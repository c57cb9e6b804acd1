/**
 * `*` matches any number of characters, slashes and colons included, because subjects such as `repo:acme/app:ref:refs/…`
 * are no paths; `?` matches one. Backtracks only to the last star, so the time is at most the product of both lengths.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let retry = 0;
  while (position < text.length) {
    const wanted = pattern[at];
    if (wanted === "*") {
      star = at++;
      retry = position;
    } else if (wanted === "?" || (wanted !== undefined && wanted === text[position])) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++retry;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

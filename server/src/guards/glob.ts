/** Whether a text matches a glob in which `*` is any sequence of characters and `?` any one. Backtracks to one star only. */
export function matchesGlob(glob: string, text: string): boolean {
  let g = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (glob[g] === "*") {
      star = g++;
      resume = t;
    } else if (g < glob.length && (glob[g] === "?" || glob[g] === text[t])) {
      g++;
      t++;
    } else if (star >= 0) {
      // Only the last star can be extended usefully.
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (glob[g] === "*") g++;
  return g === glob.length;
}

/** `example.com` is this host, `*.example.com` all hosts below it, and `*` every host. */
export function compileHostGlob(glob: string): (host: string) => boolean {
  const lower = glob.toLowerCase();
  if (!lower.includes("*") && !lower.includes("?")) return (host) => host === lower;
  return (host) => matchesGlob(lower, host);
}

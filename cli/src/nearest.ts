/** The most similar known word: at most two edits away, and fewer edits than half of its letters. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = 3;
  for (const candidate of known) {
    const edits = distance(word, candidate);
    if (edits < fewest && edits * 2 <= candidate.length) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

export function didYouMean(word: string, known: Iterable<string>, prefix = ""): string {
  const suggestion = nearest(word, known);
  return suggestion === undefined ? "" : `. Did you mean ${prefix}${suggestion}?`;
}

/** The number of letters to insert, delete, replace, or swap with a neighbor. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, at(last, j) + 1, at(row, j - 1) + 1);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, at(beforeLast, j - 2) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

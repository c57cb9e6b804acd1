/** The lines in which two texts differ, in the order of a diff. */
export interface ChangedLine {
  readonly sign: "-" | "+";
  /** In the first text. */
  readonly line: number;
  readonly text: string;
  /** The index of the line in the text that contains it. */
  readonly index: number;
}

/** Larger parts are shown as replaced entirely. */
const MAX_CELLS = 4_000_000;

export function diffLines(before: string, after: string): ChangedLine[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  return compare(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end), start);
}

/** Follows the longest common subsequence. */
function compare(old: readonly string[], fresh: readonly string[], offset: number): ChangedLine[] {
  const common = commonLengths(old, fresh);
  const changes: ChangedLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (old[i] === fresh[j]) {
      i++;
      j++;
    } else if (j >= fresh.length || (i < old.length && common(i + 1, j) >= common(i, j + 1))) {
      changes.push({ sign: "-", line: offset + i + 1, text: old[i] ?? "", index: offset + i });
      i++;
    } else {
      changes.push({ sign: "+", line: offset + i + 1, text: fresh[j] ?? "", index: offset + j });
      j++;
    }
  }
  return changes;
}

/** The length of the longest common subsequence of the ends of both, by where these start. */
function commonLengths(old: readonly string[], fresh: readonly string[]): (i: number, j: number) => number {
  const width = fresh.length + 1;
  if ((old.length + 1) * width > MAX_CELLS) return () => 0;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      lengths[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}

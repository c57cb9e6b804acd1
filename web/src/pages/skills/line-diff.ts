export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** The table has a cell for each pair of lines. */
const MAX_CELLS = 4_000_000;

/** The lines of two texts, by their longest common subsequence. Texts that are too long are replaced as one piece. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split("\n");
  const now = after.split("\n");
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ kind: "same", text }));
  return [
    ...same(old.slice(0, start)),
    ...changed(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(old.slice(old.length - end)),
  ];
}

const removed = (text: string): DiffLine => ({ kind: "removed", text });
const added = (text: string): DiffLine => ({ kind: "added", text });

function changed(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > MAX_CELLS) return [...old.map(removed), ...now.map(added)];
  const common = commonLengths(old, now);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const [one, other] = [old[i], now[j]];
    if (one !== undefined && one === other) {
      lines.push({ kind: "same", text: one });
      i++;
      j++;
    } else if (one !== undefined && (other === undefined || common(i + 1, j) >= common(i, j + 1))) {
      lines.push(removed(one));
      i++;
    } else {
      lines.push(added(other ?? ""));
      j++;
    }
  }
  return lines;
}

/** How many lines the rest of two texts have in common, from these positions. */
function commonLengths(old: readonly string[], now: readonly string[]): (i: number, j: number) => number {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}

const CONTEXT = 3;

/** Only changed lines with a few around them; null means omitted lines. */
export function withoutUnchanged(lines: readonly DiffLine[]): (DiffLine | null)[] {
  const near = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(isChange));
  return lines.flatMap((line, at) => (near[at] ? [line] : near[at - 1] ? [null] : []));
}

function isChange({ kind }: DiffLine): boolean {
  return kind !== "same";
}

import type { Edit } from "#lib/json/splice";

/** Sorted. Where edits overlap, the one that is first in the list decides the text for the ranges of both. */
export function mergeEdits(edits: readonly Edit[]): Edit[] {
  const ranked = edits.map((edit, rank) => ({ ...edit, rank }));
  const merged: (Edit & { readonly rank: number })[] = [];
  for (const edit of ranked.sort((one, other) => one.start - other.start || one.rank - other.rank)) {
    const last = merged.at(-1);
    if (!last || edit.start >= last.end) {
      merged.push(edit);
      continue;
    }
    const { text, rank } = edit.rank < last.rank ? edit : last;
    merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, edit.end), text, rank };
  }
  return merged.map(({ start, end, text }) => ({ start, end, text }));
}

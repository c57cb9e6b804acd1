import type { Range } from "#lib/json/scan";
import type { Leaf } from "../text/leaf.ts";

/** All texts of a payload, separated by line feeds, as webhooks and judges receive them. */
export interface JoinedText {
  readonly text: string;
  /** The parts of a span that lie in texts; the separators belong to none. */
  split(span: Range): LeafSpan[];
}

interface LeafSpan extends Range {
  readonly leaf: Leaf;
}

export function joinTexts(leaves: readonly Leaf[]): JoinedText {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of leaves) {
    starts.push(length);
    length += text.length + 1;
  }
  return {
    text: leaves.map(({ text }) => text).join("\n"),
    split: (span) =>
      leaves.flatMap((leaf, at) => {
        const offset = starts[at] ?? 0;
        const start = Math.max(0, span.start - offset);
        const end = Math.min(leaf.text.length, span.end - offset);
        return start < end ? [{ leaf, start, end }] : [];
      }),
  };
}

/** Which objects of a text a scanner reports the members of. Made once, used by every scan. */
export interface WatchNode {
  /** Position of its path in the plan; -1 for a mere prefix of one. */
  index: number;
  readonly children: Map<string, WatchNode>;
}

export interface WatchPlan {
  readonly root: WatchNode;
  readonly size: number;
  /** How many elements of a top-level array are reported; the rest are only counted. */
  readonly elements: number;
  /** Keys that nearly every text has, by length in bytes: making a string anew costs ten times a comparison. */
  readonly usualKeys: readonly (readonly UsualKey[] | undefined)[];
}

export interface UsualKey {
  readonly bytes: Buffer;
  readonly text: string;
}

export interface WatchOptions {
  readonly elements?: number;
  readonly usualKeys?: readonly string[];
}

/** Prefixes of a path are watched too, so a duplicate key can never make a path ambiguous. */
export function watchPlan(paths: readonly (readonly string[])[], options: WatchOptions = {}): WatchPlan {
  const root: WatchNode = { index: -1, children: new Map() };
  paths.forEach((path, index) => {
    let node = root;
    for (const key of path) {
      let child = node.children.get(key);
      if (child === undefined) {
        child = { index: -1, children: new Map() };
        node.children.set(key, child);
      }
      node = child;
    }
    node.index = index;
  });
  const usualKeys = byLength([...paths.flat(), ...(options.usualKeys ?? [])]);
  return { root, size: paths.length, elements: options.elements ?? 0, usualKeys };
}

function byLength(keys: readonly string[]): (readonly UsualKey[] | undefined)[] {
  const lengths: UsualKey[][] = [];
  for (const text of new Set(keys)) {
    const bytes = Buffer.from(text);
    lengths[bytes.length] = [...(lengths[bytes.length] ?? []), { bytes, text }];
  }
  // Without holes, so that every length up to the longest is a plain lookup.
  return Array.from(lengths, (ofLength) => ofLength);
}

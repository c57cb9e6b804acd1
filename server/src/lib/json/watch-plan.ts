/** The objects whose members a scanner reports. Created once, used by every scan. */
export interface WatchNode {
  /** Index of its path in the plan; -1 for a prefix of a path. */
  index: number;
  readonly children: Map<string, WatchNode>;
}

export interface WatchPlan {
  readonly root: WatchNode;
  readonly size: number;
  /** How many elements of a top-level array are reported; the others are only counted. */
  readonly elements: number;
  /** Keys that most texts contain, by length in bytes: creating a string costs ten times as much as a comparison. */
  readonly commonKeys: readonly (readonly CommonKey[] | undefined)[];
}

export interface CommonKey {
  readonly bytes: Buffer;
  readonly text: string;
}

export interface WatchOptions {
  readonly elements?: number;
  readonly commonKeys?: readonly string[];
}

/** Prefixes of a path are watched too, so a duplicate key cannot make a path ambiguous. */
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
  const commonKeys = byLength([...paths.flat(), ...(options.commonKeys ?? [])]);
  return { root, size: paths.length, elements: options.elements ?? 0, commonKeys };
}

function byLength(keys: readonly string[]): (readonly CommonKey[] | undefined)[] {
  const lengths: CommonKey[][] = [];
  for (const text of new Set(keys)) {
    const bytes = Buffer.from(text);
    lengths[bytes.length] = [...(lengths[bytes.length] ?? []), { bytes, text }];
  }
  // Without holes, so that every length up to the longest is a plain array lookup.
  return Array.from(lengths, (ofLength) => ofLength);
}

interface OrderedKeys<Key> {
  readonly size: number;
  keys(): Iterable<Key>;
  delete(key: Key): boolean;
}

/** Deletes the entries of a Map or Set that were inserted first until at most `maxSize` are left. */
export function evictOldest<Key>(entries: OrderedKeys<Key>, maxSize: number): void {
  if (entries.size <= maxSize) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    if (entries.size <= maxSize) return;
  }
}

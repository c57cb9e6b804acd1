/**
 * An immutable map with string keys. Copying a map of 100,000 entries blocks the event loop for tens of milliseconds,
 * so entries are stored in 1,024 shards, and a change copies only the shards it affects.
 */
const SHARD_COUNT = 1024;

type Shard<Value> = ReadonlyMap<string, Value>;

export class ShardedMap<Value> implements Iterable<[string, Value]> {
  readonly #shards: readonly (Shard<Value> | undefined)[];
  readonly size: number;

  private constructor(shards: readonly (Shard<Value> | undefined)[], size: number) {
    this.#shards = shards;
    this.size = size;
  }

  static empty<Value>(): ShardedMap<Value> {
    return new ShardedMap<Value>(new Array<undefined>(SHARD_COUNT).fill(undefined), 0);
  }

  get(key: string): Value | undefined {
    return this.#shards[shardOf(key)]?.get(key);
  }

  has(key: string): boolean {
    return this.#shards[shardOf(key)]?.has(key) ?? false;
  }

  /** Returns an arbitrary value without iterating over the map; undefined when it is empty. */
  any(): Value | undefined {
    if (this.size === 0) return undefined;
    for (const shard of this.#shards) {
      if (shard) return shard.values().next().value;
    }
    return undefined;
  }

  /**
   * Returns a map with these entries set, or removed if the value is undefined. On the empty map this is also the
   * cheapest way to build a full map: each shard is created once and filled in place.
   */
  with(changes: ReadonlyMap<string, Value | undefined>): ShardedMap<Value> {
    if (changes.size === 0) return this;
    const shards = this.#shards.slice();
    const copies = new Map<number, Map<string, Value>>();
    for (const [key, value] of changes) {
      const index = shardOf(key);
      let copy = copies.get(index);
      if (!copy) {
        copy = new Map(shards[index]);
        copies.set(index, copy);
      }
      if (value === undefined) copy.delete(key);
      else copy.set(key, value);
    }
    let size = this.size;
    for (const [index, copy] of copies) {
      size += copy.size - (shards[index]?.size ?? 0);
      shards[index] = copy.size === 0 ? undefined : copy;
    }
    return new ShardedMap(shards, size);
  }

  *[Symbol.iterator](): Generator<[string, Value], void, undefined> {
    for (const shard of this.#shards) {
      if (shard) yield* shard;
    }
  }
}

/** FNV-1a over the full key: ids share prefixes and slugs often share suffixes, so no part alone distributes well. */
function shardOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (SHARD_COUNT - 1);
}

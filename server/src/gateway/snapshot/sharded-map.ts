/**
 * An immutable map from text keys. Copying a map of 100,000 entries takes tens of milliseconds on the event loop, so
 * the entries lie in 1,024 shards and a change copies only the shards that it touches.
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

  /** Any one value, without walking the map; undefined when there is none. */
  any(): Value | undefined {
    if (this.size === 0) return undefined;
    for (const shard of this.#shards) {
      if (shard) return shard.values().next().value;
    }
    return undefined;
  }

  /**
   * The map with these entries set, or removed where the value is undefined. On the empty map this is also the cheapest
   * way to build a whole one: each shard is made once and filled in place.
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

/** FNV-1a over the whole key: ids share their beginnings and slugs often their endings, so no part alone spreads. */
function shardOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (SHARD_COUNT - 1);
}

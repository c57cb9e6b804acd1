import { Lru } from "#lib/lru";
import type { FileContents } from "../../ports.ts";

const CACHE_BYTES = 32 * 1024 * 1024;

/** Files of skills and plugins by digest, with a cache that is limited in bytes. */
export class SkillFiles {
  readonly #contents: FileContents;
  readonly #cache: Lru<Buffer>;
  /** Reads in progress, so that concurrent callers share one. */
  readonly #reading = new Map<string, Promise<Buffer>>();

  constructor(contents: FileContents, cacheBytes = CACHE_BYTES) {
    this.#contents = contents;
    this.#cache = new Lru(cacheBytes);
  }

  /** Rejects if the database is unavailable or no longer has the file. */
  async read(digest: string): Promise<Buffer> {
    const cached = this.#cache.get(digest);
    if (cached) return cached;
    const reading = this.#reading.get(digest) ?? this.#read(digest);
    this.#reading.set(digest, reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(digest);
    }
  }

  async #read(digest: string): Promise<Buffer> {
    const content = await this.#contents.read(digest);
    if (!content) throw new Error(`The file ${digest} is missing`);
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    this.#cache.set(digest, bytes, bytes.length + digest.length);
    return bytes;
  }
}

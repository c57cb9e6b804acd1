import { Lru } from "#lib/lru";
import { releasesOf } from "#records/plugins";
import type { MainDb } from "#storage/database";
import type { PluginReleaseRow, PluginRow } from "#storage/plugin-tables";
import type { FileTree, GitFile, ObjectId } from "../git/objects.ts";
import { Repository, type Snapshot } from "../git/repository.ts";

const CACHE_BYTES = 32 * 1024 * 1024;
const BYTES_PER_FILE = 250;
/** Of authors without an email. Never changes, because it is part of the commits. */
const NO_EMAIL = "plugins@gatehouse.invalid";

/** The releases of a plugin as a repository. */
export interface PluginRepository {
  readonly repository: Repository;
  readonly releases: readonly PublishedRelease[];
  /** Digests of contents by their ids in git. */
  readonly digests: ReadonlyMap<ObjectId, string>;
}

interface PublishedRelease extends Pick<PluginReleaseRow, "version" | "manifest"> {
  readonly commitId: ObjectId;
  readonly tree: FileTree;
}

type Published = Pick<PluginRow, "id" | "slug" | "releases">;

/** Repositories of plugins, with a cache that is limited in bytes. Releases never change, so entries stay valid. */
export class PluginRepositories {
  readonly #db: MainDb;
  readonly #cache = new Lru<PluginRepository>(CACHE_BYTES);
  /** Reads in progress, so that concurrent callers share one. */
  readonly #reading = new Map<string, Promise<PluginRepository>>();

  constructor(db: MainDb) {
    this.#db = db;
  }

  async get(plugin: Published): Promise<PluginRepository> {
    const key = `${plugin.id} ${plugin.releases}`;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const reading = this.#reading.get(key) ?? this.#read(plugin, key);
    this.#reading.set(key, reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(key);
    }
  }

  async #read({ id, slug, releases: count }: Published, key: string): Promise<PluginRepository> {
    // A release that was added meanwhile belongs to the next entry.
    const rows = (await releasesOf(this.#db, id)).slice(0, count);
    if (rows.length < count || rows.some(({ files, files_count: expected }) => files.length !== expected))
      throw new Error(`The plugin ${slug} was deleted while its releases were read`);
    const digests = new Map<ObjectId, string>();
    for (const { files } of rows) for (const file of files) digests.set(file.blob_id, file.digest);
    const repository = new Repository(rows.map((row) => snapshotOf(slug, row)));
    const commits = [...repository.commits.values()];
    const releases = rows.flatMap(({ version, manifest }, at): PublishedRelease[] => {
      const commit = commits[at];
      return commit ? [{ version, manifest, commitId: commit.object.id, tree: commit.trees[0] }] : [];
    });
    const found = { repository, releases, digests };
    this.#cache.set(key, found, repository.bytes + digests.size * BYTES_PER_FILE);
    return found;
  }
}

/** Only from values that never change: another text would give other commits, which clients could not pull. */
export function snapshotOf(slug: string, release: Awaited<ReturnType<typeof releasesOf>>[number]): Snapshot {
  const { version, notes, manifest, published_at: at } = release;
  const files = release.files.map(({ path, blob_id: blobId, executable }): GitFile => ({ path, blobId, executable }));
  return {
    ...{ files, at, tag: `v${version}` },
    author: { name: manifest.author.name, email: manifest.author.email ?? NO_EMAIL },
    message: [`${slug} ${version}`, ...(notes === "" ? [] : ["", notes])].join("\n"),
  };
}

import { commitObject, type GitFile, type GitObject, type ObjectId, treesOf } from "./objects.ts";

/** One step of a history, with all its files. */
export interface Snapshot {
  readonly files: readonly GitFile[];
  readonly author: { readonly name: string; readonly email: string };
  /** In milliseconds. */
  readonly at: number;
  readonly message: string;
  /** The name of a tag, if it has one. */
  readonly tag?: string | undefined;
}

export interface Commit {
  readonly object: GitObject;
  readonly parentId: ObjectId | undefined;
  /** The last one is the root. */
  readonly trees: readonly GitObject[];
  readonly blobIds: ReadonlySet<ObjectId>;
}

/**
 * A linear history, which makes every update a fast-forward. It is computed from the snapshots, so the same snapshots
 * give the same commits in every process. Contents of files are not part of it.
 */
export class Repository {
  /** By id, the newest last. */
  readonly commits: ReadonlyMap<ObjectId, Commit>;
  /** The newest commit; undefined while there is none. */
  readonly tip: ObjectId | undefined;
  readonly tags: ReadonlyMap<string, ObjectId>;
  readonly #treesById = new Map<ObjectId, GitObject>();
  readonly #blobIds = new Set<ObjectId>();

  constructor(snapshots: readonly Snapshot[]) {
    const commits = new Map<ObjectId, Commit>();
    const tags = new Map<string, ObjectId>();
    let tip: ObjectId | undefined;
    for (const { files, tag, ...fields } of snapshots) {
      const trees = treesOf(files);
      const root = trees.at(-1);
      const object = commitObject({ ...fields, treeId: root?.id ?? "", parentId: tip });
      const blobIds = new Set(files.map((file) => file.blobId));
      commits.set(object.id, { object, parentId: tip, trees, blobIds });
      for (const tree of trees) this.#treesById.set(tree.id, tree);
      for (const id of blobIds) this.#blobIds.add(id);
      if (tag !== undefined) tags.set(tag, object.id);
      tip = object.id;
    }
    this.commits = commits;
    this.tip = tip;
    this.tags = tags;
  }

  tree(id: ObjectId): GitObject | undefined {
    return this.#treesById.get(id);
  }

  hasBlob(id: ObjectId): boolean {
    return this.#blobIds.has(id);
  }

  /** The commit and its ancestors, the newest first, at most this many. Nothing for an unknown commit. */
  *history(from: ObjectId, most = Number.POSITIVE_INFINITY): Generator<ObjectId> {
    let id = this.commits.has(from) ? from : undefined;
    for (let depth = 0; id !== undefined && depth < most; depth++) {
      yield id;
      id = this.commits.get(id)?.parentId;
    }
  }
}

import {
  commitObject,
  type FileTree,
  fileTreeOf,
  type GitFile,
  type GitObject,
  type KnownFolder,
  type ObjectId,
} from "./objects.ts";

/** Of a tree with its entry in each map, or of a reference. */
const BYTES_PER_ENTRY = 250;

/** One step of a history, with all its files. */
export interface Snapshot {
  readonly files: readonly GitFile[];
  readonly folders?: readonly KnownFolder[] | undefined;
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
  /** Its files; later ones are folders that other commits can share. */
  readonly trees: readonly [FileTree, ...FileTree[]];
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
  /** How much memory it takes, roughly. */
  readonly bytes: number;

  constructor(snapshots: readonly Snapshot[]) {
    const commits = new Map<ObjectId, Commit>();
    const tags = new Map<string, ObjectId>();
    const known = new Set<FileTree>();
    let tip: ObjectId | undefined;
    let bytes = 0;
    for (const { files, folders = [], tag, ...fields } of snapshots) {
      const own = fileTreeOf(files, folders);
      const object = commitObject({ ...fields, treeId: own.rootId, parentId: tip });
      const trees: Commit["trees"] = [own, ...folders.map(({ tree }) => tree)];
      commits.set(object.id, { object, parentId: tip, trees });
      for (const tree of trees) {
        if (known.has(tree)) continue;
        known.add(tree);
        for (const each of tree.trees) this.#treesById.set(each.id, each);
        for (const id of tree.blobIds) this.#blobIds.add(id);
        bytes += BYTES_PER_ENTRY * (tree.trees.length + tree.blobIds.size);
      }
      bytes += BYTES_PER_ENTRY * (1 + trees.length);
      if (tag !== undefined) tags.set(tag, object.id);
      tip = object.id;
    }
    this.commits = commits;
    this.tip = tip;
    this.tags = tags;
    this.bytes = bytes;
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

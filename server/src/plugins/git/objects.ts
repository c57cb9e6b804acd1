/** Objects of git: https://git-scm.com/docs/gitformat-pack and the formats of trees and commits. */
import { createHash } from "node:crypto";

export type ObjectType = "commit" | "tree" | "blob";

/** SHA-1 in hexadecimal digits. This is git's format; nothing relies on it for security. */
export type ObjectId = string;

export interface GitObject {
  readonly type: ObjectType;
  readonly id: ObjectId;
  readonly body: Buffer;
}

export function gitObject(type: ObjectType, body: Buffer): GitObject {
  return { type, id: objectId(type, body), body };
}

export function objectId(type: ObjectType, body: Buffer): ObjectId {
  return createHash("sha1").update(`${type} ${body.length}\0`).update(body).digest("hex");
}

/** A file of a commit; its content is read by the id when it is sent. */
export interface GitFile {
  /** Relative, with `/` between the parts. */
  readonly path: string;
  readonly blobId: ObjectId;
  readonly executable: boolean;
}

interface TreeEntry {
  readonly mode: "100644" | "100755" | "40000";
  readonly name: string;
  readonly id: ObjectId;
}

interface Folder {
  readonly entries: TreeEntry[];
  readonly folders: Map<string, Folder>;
}

/** Files with their trees. Repositories share it, so that a folder is encoded once. */
export interface FileTree {
  readonly rootId: ObjectId;
  readonly trees: readonly GitObject[];
  readonly blobIds: ReadonlySet<ObjectId>;
}

/** A folder whose trees exist already. */
export interface KnownFolder {
  readonly path: string;
  readonly tree: FileTree;
}

/** The result does not include the trees and blobs of known folders. */
export function fileTreeOf(files: readonly GitFile[], known: readonly KnownFolder[] = []): FileTree {
  const root: Folder = { entries: [], folders: new Map() };
  for (const { path, blobId, executable } of files)
    addEntry(root, path, { mode: executable ? "100755" : "100644", id: blobId });
  for (const { path, tree } of known) addEntry(root, path, { mode: "40000", id: tree.rootId });
  const trees: GitObject[] = [];
  const tree = addTrees(root, trees);
  return { rootId: tree.id, trees: [...trees, tree], blobIds: new Set(files.map(({ blobId }) => blobId)) };
}

function addEntry(root: Folder, path: string, entry: Omit<TreeEntry, "name">): void {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  let folder = root;
  for (const part of parts) {
    const next = folder.folders.get(part) ?? { entries: [], folders: new Map() };
    folder.folders.set(part, next);
    folder = next;
  }
  folder.entries.push({ ...entry, name });
}

/** Adds the trees below the folder, and returns the folder's. */
function addTrees({ entries: own, folders }: Folder, trees: GitObject[]): GitObject {
  const entries = [...own];
  for (const [name, folder] of folders) {
    const tree = addTrees(folder, trees);
    trees.push(tree);
    entries.push({ mode: "40000", name, id: tree.id });
  }
  return gitObject("tree", encodeTree(entries));
}

function encodeTree(entries: readonly TreeEntry[]): Buffer {
  // Git compares names as bytes, and names of folders as if they ended with a slash.
  const sorted = entries
    .map((entry) => ({ entry, key: Buffer.from(entry.mode === "40000" ? `${entry.name}/` : entry.name) }))
    .sort((one, other) => one.key.compare(other.key));
  return Buffer.concat(
    sorted.flatMap(({ entry: { mode, name, id } }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]),
  );
}

export interface CommitFields {
  readonly treeId: ObjectId;
  readonly parentId: ObjectId | undefined;
  readonly author: { readonly name: string; readonly email: string };
  /** In milliseconds. */
  readonly at: number;
  readonly message: string;
}

/** The same fields always give the same id. */
export function commitObject({ treeId, parentId, author, at, message }: CommitFields): GitObject {
  const who = `${withoutDelimiters(author.name)} <${withoutDelimiters(author.email)}> ${Math.floor(at / 1000)} +0000`;
  const lines = [
    `tree ${treeId}`,
    ...(parentId === undefined ? [] : [`parent ${parentId}`]),
    `author ${who}`,
    `committer ${who}`,
    "",
    `${message}\n`,
  ];
  return gitObject("commit", Buffer.from(lines.join("\n")));
}

/** These characters end a name or an address in a commit. */
function withoutDelimiters(text: string): string {
  return text.replace(/[\0\r\n<>]/g, " ").trim() || "Unknown";
}

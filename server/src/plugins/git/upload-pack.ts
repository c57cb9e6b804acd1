/**
 * The read-only side of git's smart HTTP protocol, version 0, without a git binary:
 * https://git-scm.com/docs/gitprotocol-http and https://git-scm.com/docs/gitprotocol-pack. Each request stands alone.
 */
import { type FileTree, type GitObject, gitObject, type ObjectId } from "./objects.ts";
import { packOf } from "./pack.ts";
import { FLUSH, pktLine } from "./pkt-line.ts";
import type { Commit, Repository } from "./repository.ts";
import { type Omitted, readUploadRequest, type UploadRequest } from "./upload-request.ts";

export const ADVERTISEMENT_TYPE = "application/x-git-upload-pack-advertisement";
export const RESULT_TYPE = "application/x-git-upload-pack-result";
export const BRANCH = "refs/heads/main";

const CAPABILITIES = [
  "shallow",
  "filter",
  "allow-tip-sha1-in-want",
  "allow-reachable-sha1-in-want",
  "object-format=sha1",
  `symref=HEAD:${BRANCH}`,
  "agent=gatehouse",
].join(" ");
const NO_ID = "0".repeat(40);

/** Reads the content of a file. */
export type ReadBlob = (id: ObjectId) => Promise<Buffer>;

/** The response to `GET …/info/refs?service=git-upload-pack`. */
export function advertisement({ tip, tags }: Repository): Buffer {
  const refs: [string, ObjectId][] =
    tip === undefined
      ? []
      : [
          ["HEAD", tip],
          [BRANCH, tip],
        ];
  for (const [tag, id] of [...tags].sort(([one], [other]) => (one < other ? -1 : 1)))
    refs.push([`refs/tags/${tag}`, id]);
  if (refs.length === 0) refs.push(["capabilities^{}", NO_ID]);
  const lines = refs.map(([name, id], n) => pktLine(`${id} ${name}${n === 0 ? `\0${CAPABILITIES}` : ""}\n`));
  return Buffer.concat([pktLine("# service=git-upload-pack\n"), FLUSH, ...lines, FLUSH]);
}

/** What a request gets. */
export interface Upload {
  readonly head: readonly Buffer[];
  /** The objects of the pack; undefined: no pack. */
  readonly sent: readonly Sent[] | undefined;
}

/** Decides about `POST …/git-upload-pack`. The body is not compressed. */
export function planUpload(repository: Repository, body: Buffer): Upload {
  const request = readUploadRequest(body);
  if (typeof request === "string") return refusedUpload(request);
  const { wants, haves, depth, isDone } = request;
  if (wants.length === 0) return { head: [], sent: undefined };
  const unknown = wants.find((id) => !hasObject(repository, id));
  if (unknown !== undefined) return refusedUpload(`not our ref ${unknown}`);
  const head = depth === undefined ? [] : [...shallowSection(repository, request, depth)];
  // The client reads only this section before it sends what it has.
  if (depth !== undefined && !isDone && haves.length === 0) return { head, sent: undefined };
  const common = haves.find((id) => repository.commits.has(id));
  head.push(pktLine(common === undefined ? "NAK\n" : `ACK ${common}\n`));
  return { head, sent: isDone ? objectsToSend(repository, request) : undefined };
}

/** Git shows the reason to its user. */
export function refusedUpload(reason: string): Upload {
  return { head: [pktLine(`ERR upload-pack: ${reason}`)], sent: undefined };
}

/** The parts of the response. */
export async function* writeUpload({ head, sent }: Upload, readBlob: ReadBlob): AsyncGenerator<Buffer> {
  yield* head;
  if (sent) yield* packOf(readObjects(sent, readBlob), sent.length);
}

function hasObject(repository: Repository, id: ObjectId): boolean {
  return repository.commits.has(id) || repository.tree(id) !== undefined || repository.hasBlob(id);
}

/** Which commits become the oldest that the client has, and which of its oldest ones get their parents. */
function* shallowSection(repository: Repository, { wants, shallow }: UploadRequest, depth: number): Generator<Buffer> {
  const reached = new Set<ObjectId>();
  const oldest = new Set<ObjectId>();
  for (const want of wants) {
    const history = [...repository.history(want, depth)];
    for (const id of history) reached.add(id);
    const last = history.at(-1);
    if (last !== undefined && repository.commits.get(last)?.parentId !== undefined) oldest.add(last);
  }
  for (const id of oldest) if (!shallow.has(id)) yield pktLine(`shallow ${id}`);
  for (const id of shallow) if (reached.has(id) && !oldest.has(id)) yield pktLine(`unshallow ${id}`);
  yield FLUSH;
}

export type Sent = { readonly object: GitObject } | { readonly blobId: ObjectId };

/** Everything that the wanted commits need and the client does not have. */
function objectsToSend(repository: Repository, { wants, haves, shallow, depth, omits }: UploadRequest): Sent[] {
  const had = new Set(haves.flatMap((have) => [...heldSince(repository, have, shallow)]));
  const hadTrees = new Set([...had].flatMap((id) => repository.commits.get(id)?.trees ?? []));
  const hadParts = new Set([...hadTrees].flatMap((tree) => [...partsOf(tree)]));
  const sent = new Map<ObjectId, Sent>();
  for (const want of wants) {
    const part = partNamed(repository, want);
    if (part) sent.set(want, part);
    for (const id of repository.history(want, depth))
      if (!had.has(id)) addCommit(sent, repository.commits.get(id), omits, { trees: hadTrees, parts: hadParts });
  }
  return [...sent.values()];
}

/** The commits that a client with this one has: all before it, down to where its history ends. */
function* heldSince(repository: Repository, have: ObjectId, shallow: ReadonlySet<ObjectId>): Generator<ObjectId> {
  for (const id of repository.history(have)) {
    yield id;
    if (shallow.has(id)) return;
  }
}

/** A client of a partial clone asks for trees and blobs as it needs them. */
function partNamed(repository: Repository, id: ObjectId): Sent | undefined {
  const object = repository.tree(id);
  if (object) return { object };
  return repository.hasBlob(id) ? { blobId: id } : undefined;
}

/** Commits share folders; `trees` are those that need not be looked at again. */
interface Known {
  readonly trees: Set<FileTree>;
  readonly parts: ReadonlySet<ObjectId>;
}

function addCommit(sent: Map<ObjectId, Sent>, commit: Commit | undefined, omits: Omitted, known: Known): void {
  if (!commit) return;
  sent.set(commit.object.id, { object: commit.object });
  if (omits === "trees and blobs") return;
  for (const tree of commit.trees) {
    if (known.trees.has(tree)) continue;
    known.trees.add(tree);
    addTree(sent, tree, omits, known.parts);
  }
}

function addTree(
  sent: Map<ObjectId, Sent>,
  { trees, blobIds }: FileTree,
  omits: Omitted,
  known: ReadonlySet<ObjectId>,
): void {
  for (const object of trees) if (!known.has(object.id)) sent.set(object.id, { object });
  if (omits === "blobs") return;
  for (const blobId of blobIds) if (!known.has(blobId)) sent.set(blobId, { blobId });
}

/** Trees and blobs. */
function* partsOf({ trees, blobIds }: FileTree): Generator<ObjectId> {
  for (const tree of trees) yield tree.id;
  yield* blobIds;
}

async function* readObjects(sent: readonly Sent[], readBlob: ReadBlob): AsyncGenerator<GitObject> {
  for (const each of sent) yield "object" in each ? each.object : gitObject("blob", await readBlob(each.blobId));
}

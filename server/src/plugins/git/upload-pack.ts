/**
 * The read-only side of git's smart HTTP protocol, version 0, without a git binary:
 * https://git-scm.com/docs/gitprotocol-http and https://git-scm.com/docs/gitprotocol-pack. Each request stands alone.
 */
import { type GitObject, gitObject, type ObjectId } from "./objects.ts";
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

/** The parts of the response to `POST …/git-upload-pack`. The body is not compressed. */
export async function* uploadPack(repository: Repository, body: Buffer, readBlob: ReadBlob): AsyncGenerator<Buffer> {
  const request = readUploadRequest(body);
  if (typeof request === "string") return yield pktLine(`ERR upload-pack: ${request}`);
  const { wants, haves, depth, isDone } = request;
  if (wants.length === 0) return;
  const unknown = wants.find((id) => !hasObject(repository, id));
  if (unknown !== undefined) return yield pktLine(`ERR upload-pack: not our ref ${unknown}`);
  if (depth !== undefined) {
    yield* shallowSection(repository, request, depth);
    // The client reads only this section before it sends what it has.
    if (!isDone && haves.length === 0) return;
  }
  const common = haves.find((id) => repository.commits.has(id));
  yield pktLine(common === undefined ? "NAK\n" : `ACK ${common}\n`);
  if (!isDone) return;
  const sent = objectsToSend(repository, request);
  yield* packOf(readObjects(sent, readBlob), sent.length);
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

type Sent = { readonly object: GitObject } | { readonly blobId: ObjectId };

/** Everything that the wanted commits need and the client does not have. */
function objectsToSend(repository: Repository, { wants, haves, shallow, depth, omits }: UploadRequest): Sent[] {
  const had = new Set(haves.flatMap((have) => [...heldSince(repository, have, shallow)]));
  const hadParts = new Set([...had].flatMap((id) => [...partsOf(repository, id)]));
  const sent = new Map<ObjectId, Sent>();
  for (const want of wants) {
    const part = partNamed(repository, want);
    if (part) sent.set(want, part);
    for (const id of repository.history(want, depth))
      if (!had.has(id)) addCommit(sent, repository.commits.get(id), omits, hadParts);
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

function addCommit(
  sent: Map<ObjectId, Sent>,
  commit: Commit | undefined,
  omits: Omitted,
  hadParts: ReadonlySet<ObjectId>,
): void {
  if (!commit) return;
  sent.set(commit.object.id, { object: commit.object });
  if (omits === "trees and blobs") return;
  for (const object of commit.trees) if (!hadParts.has(object.id)) sent.set(object.id, { object });
  if (omits === "blobs") return;
  for (const blobId of commit.blobIds) if (!hadParts.has(blobId)) sent.set(blobId, { blobId });
}

/** Trees and blobs of a commit. */
function* partsOf({ commits }: Repository, id: ObjectId): Generator<ObjectId> {
  const commit = commits.get(id);
  for (const tree of commit?.trees ?? []) yield tree.id;
  yield* commit?.blobIds ?? [];
}

async function* readObjects(sent: readonly Sent[], readBlob: ReadBlob): AsyncGenerator<GitObject> {
  for (const each of sent) yield "object" in each ? each.object : gitObject("blob", await readBlob(each.blobId));
}

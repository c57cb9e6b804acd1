import { readBlobs } from "#records/file-blobs";
import type { MainDb } from "#storage/database";
import { objectId } from "../git/objects.ts";
import type { ReleaseTree } from "./tree.ts";

/** Packs are built in memory. */
export const MAX_RELEASE_BYTES = 32 * 1024 * 1024;

/** Everything in the files of a release. */
export interface ReleaseContents {
  /** By digest. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** The ids of contents in git, by digest. */
  readonly blobIds: ReadonlyMap<string, string>;
  /** Texts by path. */
  readonly texts: Readonly<Record<string, string>>;
}

export async function readContents(db: MainDb, { files }: ReleaseTree): Promise<ReleaseContents> {
  const contents = new Map<string, Uint8Array>();
  for (const { digest, content } of files) if (content) contents.set(digest, content);
  const stored = files.filter(({ digest }) => !contents.has(digest));
  for await (const { digest, content } of readBlobs(db, stored)) contents.set(digest, content);
  const blobIds = new Map<string, string>();
  for (const [digest, content] of contents) blobIds.set(digest, objectId("blob", Buffer.from(content)));
  const texts = files
    .filter((file) => file.is_text)
    .map(({ path, digest }) => [path, Buffer.from(contents.get(digest) ?? []).toString("utf8")] as const);
  return { contents, blobIds, texts: Object.fromEntries(texts) };
}

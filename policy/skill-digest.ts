import { createHash } from "node:crypto";

/** A file of a skill: its path with `/`, and the SHA-256 of its content in hexadecimal. */
export interface DigestedFile {
  readonly path: string;
  readonly digest: string;
}

/** One value for the entire skill: of the paths and digests of its files, sorted by path. Same for folders and versions. */
export function skillDigest(files: readonly DigestedFile[]): string {
  const lines = [...files]
    .sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
    .map(({ path, digest }) => `${path}\0sha256:${digest}\n`);
  return `sha256:${createHash("sha256").update(lines.join("")).digest("hex")}`;
}

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** A hash of the names and contents of files and folders below a root. Builds are repeated only if it changed. */
export function sourceHash(root, parts) {
  const hash = createHash("sha256");
  for (const part of parts) {
    for (const path of filesAt(join(root, part))) {
      const bytes = readFileSync(path);
      hash.update(`${relative(root, path)} ${bytes.length}\n`).update(bytes);
    }
  }
  return hash.digest("hex");
}

/** The hash of the sources of a finished build; undefined if there is none. */
export function builtFrom(dist) {
  const manifest = join(dist, "build.json");
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).sources : undefined;
}

/** The path itself if it is a file, or all files below it, in a fixed order. */
export function filesAt(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesAt(join(path, name)));
}

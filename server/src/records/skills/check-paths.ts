import type { Findings } from "./findings.ts";
import { MAX_PATH } from "./limits.ts";

/** Control characters, and characters that Windows or URIs give a meaning. */
const UNSAFE_CHARACTERS = /[\p{Cc}\\:*?"<>|]/u;
const MAX_SEGMENT_BYTES = 255;

/** Why a path of a file in a skill is refused; undefined: it is accepted. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "is empty";
  if (path.length > MAX_PATH) return `is longer than ${MAX_PATH} characters`;
  if (path.startsWith("/")) return "must be relative";
  if (!path.isWellFormed() || UNSAFE_CHARACTERS.test(path)) return "contains a character that is not allowed";
  for (const segment of path.split("/")) {
    if (segment === "" || segment === "." || segment === "..") return "must not contain empty, . or .. segments";
    // Windows removes them, so two paths could become one.
    if (segment.endsWith(".") || segment.endsWith(" ")) return "must not have segments that end with a dot or a space";
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a segment of more than ${MAX_SEGMENT_BYTES} bytes`;
  }
  return undefined;
}

/** Paths that some file systems cannot distinguish have the same key. */
export function pathKey(path: string): string {
  return path.normalize("NFC").toLowerCase().normalize("NFC");
}

/** Reports unsafe paths, paths that are equal on some file systems, and files that are also folders. */
export function checkPaths(
  paths: readonly string[],
  fieldOf: (path: string, at: number) => string,
  findings: Findings,
): void {
  const taken = new Map<string, string>();
  for (const [at, path] of paths.entries()) {
    const problem = pathProblem(path);
    if (problem !== undefined) {
      findings.error(fieldOf(path, at), `path ${JSON.stringify(path.slice(0, MAX_PATH))} ${problem}`);
      continue;
    }
    const same = taken.get(pathKey(path));
    if (same !== undefined) findings.error(fieldOf(path, at), `duplicate path ${JSON.stringify(path)}`);
    taken.set(pathKey(path), path);
  }
  for (const [at, path] of paths.entries()) {
    const folder = foldersOf(pathKey(path)).find((key) => taken.has(key));
    if (folder !== undefined)
      findings.error(fieldOf(path, at), `path ${JSON.stringify(taken.get(folder))} is a file and a folder`);
  }
}

function foldersOf(key: string): string[] {
  const segments = key.split("/");
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
}

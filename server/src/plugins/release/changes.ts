/** Which files differ between two releases. */

interface ComparedFile {
  readonly path: string;
  readonly digest: string;
  readonly executable: boolean;
}

export interface FileChange {
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
}

/** By path. */
export function fileChanges(before: readonly ComparedFile[], after: readonly ComparedFile[]): FileChange[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const changes: FileChange[] = [];
  for (const { path, digest, executable } of after) {
    const known = old.get(path);
    old.delete(path);
    if (!known) changes.push({ path, change: "added" });
    else if (known.digest !== digest || known.executable !== executable) changes.push({ path, change: "changed" });
  }
  for (const path of old.keys()) changes.push({ path, change: "removed" });
  return changes.sort((one, other) => (one.path < other.path ? -1 : 1));
}

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Batch } from "./batch.ts";

/** Symbolic links are not followed, so that nothing outside of the folder is written. */
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

/** A file per source and day (UTC), so that the operator can delete old ones. */
export function fileNameOf(prefix: string, source: Batch["source"], at: number): string {
  return `${prefix}-${source}-${new Date(at).toISOString().slice(0, 10)}.jsonl`;
}

/** Appends the lines and waits until the disk has them. Rejects if the file cannot be written. */
export async function appendToFile(
  folder: string,
  prefix: string,
  { source, lines }: Pick<Batch, "source" | "lines">,
  at: number,
): Promise<void> {
  const file = await open(join(folder, fileNameOf(prefix, source, at)), FLAGS, 0o600);
  try {
    const start = (await endsWithinLine(file)) ? "\n" : "";
    await file.appendFile(start + lines.join(""));
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** A process that was killed can have left the start of a line. */
async function endsWithinLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== "\n";
}

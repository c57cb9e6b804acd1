import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { badUsage } from "./failure.ts";

type Content = string | ReadableStream<Uint8Array>;

/** Saves a download. A file that exists is only replaced if it was named. */
export async function saveDownload(file: string, stream: ReadableStream<Uint8Array>, isNamed: boolean): Promise<void> {
  const existing = await stat(file).catch(() => undefined);
  if (existing && !isNamed) throw badUsage(`${file} exists. Pass --file to replace it.`);
  // Such as /dev/stdout, which cannot be replaced.
  if (existing && !existing.isFile()) return writeFile(file, stream);
  await saveFiles([[file, stream]]);
}

/** Files get their names only after all of them are complete, so a full disk leaves no incomplete file. */
export async function saveFiles(files: readonly (readonly [path: string, content: Content])[]): Promise<void> {
  const partials: [partial: string, path: string][] = [];
  try {
    for (const [name, content] of files) {
      const path = await realpath(name).catch(() => name);
      partials.push([`${path}.partial`, path]);
      await writePartial(path, content);
    }
    for (const [partial, path] of partials) await rename(partial, path);
  } catch (error) {
    for (const [partial] of partials) await rm(partial, { force: true });
    throw error;
  }
}

async function writePartial(path: string, content: Content): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  try {
    await writeFile(`${path}.partial`, content, { mode: existing?.mode });
  } catch (error) {
    // A failed write, such as to a full disk, does not name the file.
    throw error instanceof Error && "syscall" in error ? Object.assign(error, { path }) : error;
  }
}

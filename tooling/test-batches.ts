/**
 * Test files that share one process. Starting a process and loading the service costs about a second, which is more than
 * most files take.
 */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const BATCH_ENDING = ".batch.mjs";

export function isBatch(file: string | undefined): boolean {
  return file?.endsWith(BATCH_ENDING) === true;
}

/**
 * Writes the entry files of at most that many batches. Files from the same folder, which take about the same time, go to
 * different batches.
 */
export function writeBatches(directory: string, files: readonly string[], count: number): string[] {
  const batches = Array.from({ length: Math.min(count, files.length) }, (): string[] => []);
  for (const [at, file] of files.entries()) batches[at % batches.length]?.push(file);
  const width = String(batches.length - 1).length;
  return batches.map((batch, at) => writeBatch(directory, String(at).padStart(width, "0"), batch));
}

/** Each file becomes a suite, so that its top-level hooks run before and after its own tests only. */
function writeBatch(directory: string, name: string, files: readonly string[]): string {
  const path = join(directory, `${name}${BATCH_ENDING}`);
  const suites = files.map((file) => {
    const url = JSON.stringify(pathToFileURL(resolve(file)).href);
    return `describe(${JSON.stringify(file)}, async () => { await import(${url}); });\n`;
  });
  writeFileSync(path, `import { describe } from "node:test";\n${suites.join("")}`);
  return path;
}

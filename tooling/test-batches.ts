/**
 * Test files that share one process. Starting a process and loading the service costs about a second, which is more than
 * most files take.
 */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

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

/**
 * Each file becomes a suite, so that its top-level hooks run before and after its own tests only. It is loaded without
 * `await`, after which the test runner would not know the suite (decision 0200).
 */
function writeBatch(directory: string, name: string, files: readonly string[]): string {
  const path = join(directory, `${name}${BATCH_ENDING}`);
  const suites = files.map((file) => {
    return `describe(${JSON.stringify(file)}, () => void require(${JSON.stringify(resolve(file))}));\n`;
  });
  const imports = [`import { createRequire } from "node:module";`, `import { describe } from "node:test";`];
  const entry = [...imports, "const require = createRequire(import.meta.url);", ...suites].join("\n");
  writeFileSync(path, entry);
  return path;
}

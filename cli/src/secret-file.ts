import { open, rm } from "node:fs/promises";
import { badUsage } from "./failure.ts";

interface Obtained<Answer> {
  readonly secret: string | undefined;
  readonly answer: Answer;
}

/**
 * Obtains a secret that is shown only once and writes it to a file if `path` is set. The file is created first, so that
 * an invalid path does not lose the secret. `saved` is false without a path, or if writing failed.
 */
export async function saveSecret<Answer>(
  path: string | undefined,
  obtain: () => Promise<Obtained<Answer>>,
): Promise<{ answer: Answer; saved: boolean }> {
  if (path === undefined) return { answer: (await obtain()).answer, saved: false };
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw badUsage(
      error.code === "EEXIST"
        ? `${path} already exists. Pass --save-to with another file`
        : `Cannot create ${path}: ${error.code}`,
    );
  });
  let saved = false;
  try {
    const { secret, answer } = await obtain();
    saved = secret !== undefined && (await succeeds(file.writeFile(`${secret}\n`)));
    return { answer, saved };
  } finally {
    await file.close();
    if (!saved) await rm(path, { force: true });
  }
}

async function succeeds(writing: Promise<void>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch {
    return false;
  }
}

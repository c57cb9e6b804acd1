import { open, rm } from "node:fs/promises";
import { badUsage } from "./failure.ts";

interface Obtained<Answer> {
  readonly secret: string | undefined;
  readonly answer: Answer;
}

/**
 * Obtains what is shown only once and, when a file is named, writes the secret there. The file is made first: a name
 * that cannot be must not cost a secret. `saved` is false when there was no file or no room in it.
 */
export async function saveSecret<Answer>(
  path: string | undefined,
  obtain: () => Promise<Obtained<Answer>>,
): Promise<{ answer: Answer; saved: boolean }> {
  if (path === undefined) return { answer: (await obtain()).answer, saved: false };
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw badUsage(error.code === "EEXIST" ? `${path} is there already` : `${path} cannot be made: ${error.code}`);
  });
  let saved = false;
  try {
    const { secret, answer } = await obtain();
    saved = secret !== undefined && (await wrote(file.writeFile(`${secret}\n`)));
    return { answer, saved };
  } finally {
    await file.close();
    if (!saved) await rm(path, { force: true });
  }
}

async function wrote(writing: Promise<void>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch {
    return false;
  }
}

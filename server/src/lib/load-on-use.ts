const ADVICE =
  "The files of this release were replaced or removed while it runs. Restart Gatehouse; with WORKERS, send SIGHUP instead.";

/** The process needs code that it has not loaded yet, and its file is gone (decision 0214). */
export class ReleaseReplaced extends Error {
  constructor(cause: unknown) {
    super(ADVICE, { cause });
    this.name = "ReleaseReplaced";
  }
}

/** Loads a package that not every installation needs. */
export async function loadOnUse<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw explainMissingCode(error);
  }
}

/** Also for threads, which read their code when they start. */
export function explainMissingCode(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  // The second code is that of a thread's program.
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" ? new ReleaseReplaced(error) : error;
}

/** The operator interrupted a command, which undid its work. Printed as one line. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/**
 * Aborts the work at the first Ctrl-C, SIGTERM, or SIGHUP of a closed terminal, so that it can be undone. A second one ends
 * the process immediately.
 */
export async function interruptible<Result>(
  message: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort(new Interrupted(message));
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, abort);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, abort);
  }
}

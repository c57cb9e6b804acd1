import type { Logger } from "#lib/logger";

/** Resolves with the first signal to end. A second one runs `again`. */
export function shutdownSignal(logger: Logger, again: () => void): Promise<"SIGTERM" | "SIGINT"> {
  return new Promise((resolve) => {
    const first = (signal: NodeJS.Signals) => {
      logger.info({ signal }, "shutting down");
      for (const each of ["SIGTERM", "SIGINT"] as const) {
        process.off(each, first);
        process.on(each, again);
      }
      resolve(signal === "SIGINT" ? "SIGINT" : "SIGTERM");
    };
    process.on("SIGTERM", first);
    process.on("SIGINT", first);
  });
}

import type { Streams } from "./output.ts";

/**
 * Reports output that cannot be written as one line instead of a stack trace. `onClosed` is called when the reader of a
 * pipe closed it, as `head` does (decision 0205).
 */
export function watchOutput({ stdout, stderr }: Streams, onClosed: () => void): void {
  let hasFailed = false;
  const report = (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return onClosed();
    if (hasFailed) return;
    hasFailed = true;
    stderr.write(`gatehouse: Cannot write the output: ${error.message}\n`);
    // At the end, because commands also set the exit code.
    process.once("exit", () => {
      process.exitCode ||= 1;
    });
  };
  for (const stream of [stdout, stderr]) stream.on("error", report);
}

/** Invalid arguments: prints one line and the usage, and exits with 64. */
export class BadUsage extends Error {
  override readonly name = "BadUsage";
}

/** Reports the error of `parseArgs`, without its advice about arguments that start with a hyphen. */
export function readingArguments<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadUsage || !(error instanceof Error)) throw error;
    throw new BadUsage(error.message.replace(/\. (?:To specify|This command).*$/s, ""));
  }
}

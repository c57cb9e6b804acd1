/** Errors of writes to an open file or to the output, which name no path. */
const DISK_ERRORS = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);

/** One line about a file, folder, or disk that cannot be used. Undefined for other errors. */
export function describeFileFailure(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && "syscall" in error)) return undefined;
  if ("path" in error) return `Cannot use ${error.path}: ${reasonOfFile(error)}`;
  return DISK_ERRORS.has(String(error.code)) ? `Cannot write: ${reasonOfFile(error)}` : undefined;
}

/** Of `ENOSPC: no space left on device, write`, the words. */
export function reasonOfFile({ message }: Error): string {
  return message.replace(/^E\w+: |, \w+(?: '.*')?$/gs, "");
}

/** The disk of DATA_DIR rejects writes that the start needs. Printed as one line. */
export class DiskFull extends Error {
  override readonly name = "DiskFull";
}

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
/** SQLite: the disk is full, and no space for the shared memory that a database needs as soon as it is opened. */
const SQLITE_FULL = new Set([13, 4874]);

/** Returns the error, or a `DiskFull` if a full disk caused it. */
export function nameFullDisk(error: unknown, dataDir: string): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = "code" in cause ? String(cause.code) : "";
    const errcode = "errcode" in cause ? Number(cause.errcode) : 0;
    if (!FULL.has(code) && !SQLITE_FULL.has(errcode)) continue;
    const message = `No space left on the disk of DATA_DIR (${dataDir}). Free some space, then start again.`;
    return new DiskFull(message, { cause: error });
  }
  return error;
}

import { join } from "node:path";

const FILE = /^(spl_[0-9a-z]+)(?:-(\d+)\.spool|\.owner)$/;

export function segmentPath(directory: string, spoolId: string, segment: number): string {
  return join(directory, `${spoolId}-${String(segment).padStart(6, "0")}.spool`);
}

export function ownerPath(directory: string, spoolId: string): string {
  return join(directory, `${spoolId}.owner`);
}

/** The spool and segment a file belongs to; undefined for unrelated files. */
export function readFileName(name: string): { spoolId: string; segment: number | undefined } | undefined {
  const [, spoolId, segment] = FILE.exec(name) ?? [];
  if (spoolId === undefined) return undefined;
  return { spoolId, segment: segment === undefined ? undefined : Number(segment) };
}

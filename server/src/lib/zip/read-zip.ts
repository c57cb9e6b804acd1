import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { type CentralEntry, readDirectory } from "./read-directory.ts";
import { ZipFault } from "./zip-fault.ts";

export interface ZipLimits {
  /** Files and folders. */
  readonly maxEntries: number;
  /** Of one file, unpacked. */
  readonly maxFileBytes: number;
  /** Of all files, unpacked. */
  readonly maxBytes: number;
  /** Unpacked bytes of all files for each byte of the archive. */
  readonly maxRatio: number;
}

export interface ZipFile {
  /** As the archive has it: the caller decides which paths are safe. */
  readonly path: string;
  readonly executable: boolean;
  readonly content: Buffer;
}

const inflate = promisify(inflateRaw);

/**
 * Reads all files of an archive. Rejects with `ZipFault` before it unpacks anything if the declared sizes exceed the
 * limits, and while it unpacks if a declared size is wrong. Folders are omitted.
 */
export async function readZip(archive: Buffer, limits: ZipLimits): Promise<ZipFile[]> {
  const entries = readDirectory(archive, limits.maxEntries);
  checkSizes(archive, entries, limits);
  checkOverlaps(entries);
  const files: ZipFile[] = [];
  for (const entry of entries) {
    if (entry.isFolder) continue;
    files.push({ path: entry.path, executable: entry.executable, content: await unpack(archive, entry) });
  }
  return files;
}

function checkSizes(archive: Buffer, entries: readonly CentralEntry[], limits: ZipLimits): void {
  let total = 0;
  for (const { path, size } of entries) {
    if (size > limits.maxFileBytes) throw new ZipFault(`${path} is larger than ${inMebibytes(limits.maxFileBytes)}`);
    total += size;
  }
  if (total > limits.maxBytes) throw new ZipFault(`is larger than ${inMebibytes(limits.maxBytes)} when unpacked`);
  if (total > archive.length * limits.maxRatio)
    throw new ZipFault(`is compressed by a factor of more than ${limits.maxRatio}`);
}

/** Entries that share bytes let a small archive declare any number of large files. */
function checkOverlaps(entries: readonly CentralEntry[]): void {
  const sorted = entries.toSorted((a, b) => a.start - b.start);
  for (const [at, { end }] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next && end > next.start) throw new ZipFault("contains files that overlap");
  }
}

function inMebibytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`;
}

async function unpack(archive: Buffer, { path, dataStart, end, isDeflated, size, crc }: CentralEntry): Promise<Buffer> {
  const packed = archive.subarray(dataStart, end);
  const content = isDeflated ? await inflated(path, packed, size) : Buffer.from(packed);
  if (content.length !== size || crc32(content) !== crc) throw damaged(path);
  return content;
}

async function inflated(path: string, packed: Buffer, size: number): Promise<Buffer> {
  try {
    // zlib requires a limit of at least 1.
    return await inflate(packed, { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw damaged(path);
  }
}

function damaged(path: string): ZipFault {
  return new ZipFault(`${path} is damaged`);
}

import { isUtf8 } from "node:buffer";
import { ZipFault } from "./zip-fault.ts";

/** An entry of an archive, with the position of its data. */
export interface CentralEntry {
  readonly path: string;
  readonly isFolder: boolean;
  readonly executable: boolean;
  readonly isDeflated: boolean;
  readonly crc: number;
  /** Unpacked. */
  readonly size: number;
  /** Where the local header starts, where the data starts, and where it ends. */
  readonly start: number;
  readonly dataStart: number;
  readonly end: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const CENTRAL_SIGNATURE = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const ENCRYPTED = 0x1;
const STORED = 0;
const DEFLATED = 8;
/** Systems whose entries have a Unix mode: Unix and macOS. */
const UNIX_SYSTEMS = [3, 19];
const TYPE_MASK = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const EXECUTABLE = 0o111;

/** The central directory decides; a local header that differs from it would mean different files to other readers. */
export function readDirectory(archive: Buffer, maxEntries: number): CentralEntry[] {
  const { count, start, end } = findDirectory(archive);
  if (count > maxEntries) throw new ZipFault(`contains more than ${maxEntries} entries`);
  const entries: CentralEntry[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL_BYTES > end || archive.readUInt32LE(at) !== CENTRAL_SIGNATURE) throw notAnArchive();
    const length = CENTRAL_BYTES + [28, 30, 32].reduce((sum, field) => sum + archive.readUInt16LE(at + field), 0);
    if (at + length > end) throw notAnArchive();
    entries.push(readEntry(archive, at, start));
    at += length;
  }
  if (at !== end) throw notAnArchive();
  return entries;
}

function findDirectory(archive: Buffer): { count: number; start: number; end: number } {
  const last = archive.length - END_BYTES;
  for (let at = last; at >= 0 && at >= last - MAX_COMMENT_BYTES; at--) {
    if (archive.readUInt32LE(at) !== END_SIGNATURE || at + END_BYTES + archive.readUInt16LE(at + 20) !== archive.length)
      continue;
    const count = archive.readUInt16LE(at + 10);
    const size = archive.readUInt32LE(at + 12);
    const start = archive.readUInt32LE(at + 16);
    if (count === 0xffff || size === 0xffffffff || start === 0xffffffff)
      throw new ZipFault("uses ZIP64, which is not supported");
    if (archive.readUInt32LE(at + 4) !== 0 || archive.readUInt16LE(at + 8) !== count)
      throw new ZipFault("is one of several parts");
    if (start + size !== at) throw notAnArchive();
    return { count, start, end: at };
  }
  throw notAnArchive();
}

function readEntry(archive: Buffer, at: number, directoryStart: number): CentralEntry {
  const nameBytes = archive.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + archive.readUInt16LE(at + 28));
  const path = decodeName(nameBytes);
  const method = archive.readUInt16LE(at + 10);
  if ((archive.readUInt16LE(at + 8) & ENCRYPTED) !== 0) throw new ZipFault(`${path} is encrypted`);
  if (method !== STORED && method !== DEFLATED) throw new ZipFault(`${path} has an unsupported compression`);
  const mode = UNIX_SYSTEMS.includes(archive.readUInt8(at + 5)) ? archive.readUInt32LE(at + 38) >>> 16 : 0;
  const isFolder = path.endsWith("/");
  checkType(path, mode & TYPE_MASK, isFolder);
  const packedSize = archive.readUInt32LE(at + 20);
  const size = archive.readUInt32LE(at + 24);
  if (isFolder && size > 0) throw new ZipFault(`${path} is a folder with content`);
  if (method === STORED && packedSize !== size) throw new ZipFault(`${path} is damaged`);
  const start = archive.readUInt32LE(at + 42);
  const dataStart = dataStartOf(archive, start, nameBytes, directoryStart);
  const end = dataStart + packedSize;
  if (end > directoryStart) throw new ZipFault(`${path} is damaged`);
  const crc = archive.readUInt32LE(at + 16);
  return {
    ...{ path, isFolder, executable: (mode & EXECUTABLE) !== 0, isDeflated: method === DEFLATED },
    ...{ crc, size, start, dataStart, end },
  };
}

/** Symbolic links could point outside the folder that the archive is unpacked into. */
function checkType(path: string, type: number, isFolder: boolean): void {
  if (type === 0 || type === (isFolder ? FOLDER : REGULAR)) return;
  throw new ZipFault(`contains ${path}, which is a link or another special file`);
}

function dataStartOf(archive: Buffer, start: number, name: Buffer, directoryStart: number): number {
  if (start + LOCAL_BYTES > directoryStart || archive.readUInt32LE(start) !== LOCAL_SIGNATURE) throw notAnArchive();
  const nameEnd = start + LOCAL_BYTES + archive.readUInt16LE(start + 26);
  if (!archive.subarray(start + LOCAL_BYTES, nameEnd).equals(name)) throw notAnArchive();
  return nameEnd + archive.readUInt16LE(start + 28);
}

/** Many tools write UTF-8 without saying so. */
function decodeName(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ZipFault("contains a path that is not valid UTF-8");
  return bytes.toString("utf8");
}

function notAnArchive(): ZipFault {
  return new ZipFault("is not a valid ZIP file");
}

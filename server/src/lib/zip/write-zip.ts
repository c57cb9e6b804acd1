import { crc32 } from "node:zlib";

export interface ZippedFile {
  readonly path: string;
  readonly executable: boolean;
  readonly content: Uint8Array;
}

const VERSION = 20;
const UNIX = 3 << 8;
const UTF8_NAMES = 0x800;
/** January 1, 1980, the earliest date of the format: the same files always give the same bytes. */
const DATE = 0x21;

/**
 * Writes an archive in pieces. Files are stored without compression, so the bytes do not depend on the version of a
 * compression library, and no file is held longer than it takes to write it.
 */
export async function* writeZip(files: AsyncIterable<ZippedFile>): AsyncGenerator<Buffer, void, undefined> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { path, executable, content } of files) {
    const name = Buffer.from(path, "utf8");
    const described = describe(content, name.length);
    yield localHeader(described, name);
    yield Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    directory.push(centralHeader(described, name, executable, offset));
    offset += LOCAL_BYTES + name.length + content.length;
  }
  const central = Buffer.concat(directory);
  yield central;
  yield endRecord(directory.length, central.length, offset);
}

const LOCAL_BYTES = 30;

/** The fields that both headers share: from the version to the length of the name. */
function describe(content: Uint8Array, nameBytes: number): Buffer {
  const fields = Buffer.alloc(24);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(UTF8_NAMES, 2);
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(nameBytes, 22);
  return fields;
}

function localHeader(described: Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), described, Buffer.alloc(2), name]);
}

function centralHeader(described: Buffer, name: Buffer, executable: boolean, offset: number): Buffer {
  const head = Buffer.alloc(6);
  head.write("PK\x01\x02", 0, "latin1");
  head.writeUInt16LE(UNIX | VERSION, 4);
  const tail = Buffer.alloc(16);
  tail.writeUInt32LE(((executable ? 0o100755 : 0o100644) << 16) >>> 0, 8);
  tail.writeUInt32LE(offset, 12);
  return Buffer.concat([head, described, tail, name]);
}

function endRecord(count: number, directoryBytes: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.write("PK\x05\x06", 0, "latin1");
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(directoryBytes, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}

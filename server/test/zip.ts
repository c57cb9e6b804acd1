/** Archives for tests: well-formed ones, and ones that a hostile sender would make. */
import { crc32, deflateRawSync } from "node:zlib";

export interface TestEntry {
  /** A path, or its bytes. */
  readonly path: string | Buffer;
  readonly content?: string | Buffer;
  /** Unix mode with the type of the file. */
  readonly mode?: number;
  readonly deflate?: boolean;
  /** Claims another unpacked size. */
  readonly size?: number;
  readonly flags?: number;
  /** The path in the local header, if it differs. */
  readonly localPath?: string;
  readonly crc?: number;
}

export function makeZip(entries: readonly TestEntry[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.path);
    const content = Buffer.from(entry.content ?? "");
    const data = entry.deflate ? deflateRawSync(content) : content;
    const shared = Buffer.alloc(22);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(entry.flags ?? 0x800, 2);
    shared.writeUInt16LE(entry.deflate ? 8 : 0, 4);
    shared.writeUInt32LE(entry.crc ?? crc32(content), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(entry.size ?? content.length, 18);
    const local = Buffer.from(entry.localPath ?? name);
    locals.push(Buffer.from("PK\x03\x04", "latin1"), shared, uint16(local.length), uint16(0), local, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const head = [Buffer.from("PK\x01\x02", "latin1"), uint16((3 << 8) | 20), shared];
    centrals.push(...head, uint16(name.length), uint16(0), tail, name);
    offset += 30 + local.length + data.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export const SKILL_MD = "---\nname: notes\ndescription: Writes notes.\n---\n\n# Notes\n";

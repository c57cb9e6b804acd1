import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { GitObject, ObjectType } from "./objects.ts";

const TYPE_NUMBERS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 };
const VERSION = 2;

const compress = promisify(deflate);

/** The parts of a pack with these objects, each of them complete: no deltas. */
export async function* packOf(objects: AsyncIterable<GitObject>, count: number): AsyncGenerator<Buffer> {
  const hash = createHash("sha1");
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(VERSION, 4);
  head.writeUInt32BE(count, 8);
  hash.update(head);
  yield head;
  for await (const { type, body } of objects) {
    for (const part of [entryHead(type, body.length), await compress(body)]) {
      hash.update(part);
      yield part;
    }
  }
  yield hash.digest();
}

/** Type and size: four bits of the size in the first byte, seven in each following one, the lowest first. */
function entryHead(type: ObjectType, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (TYPE_NUMBERS[type] << 4) | (size & 0x0f);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  return Buffer.from([...bytes, byte]);
}

/**
 * Puts the blob of a single executable application into a copy of Node, for Node versions without --build-sea. Linux only: the
 * blob becomes a note in a new segment of the ELF file, where Node looks for it.
 */
import { readFileSync, writeFileSync } from "node:fs";

const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:";
const NOTE_NAME = "NODE_SEA_BLOB\0";
const PAGE = 0x1000;
const PT_LOAD = 1;
const PT_NOTE = 4;
const PT_PHDR = 6;
const ENTRY_BYTES = 56;
const ET_EXEC = 2;

export function injectBlob(node, blob, output) {
  const file = readFileSync(node);
  const isSupported = file.subarray(0, 4).toString("latin1") === "\x7fELF" && file[4] === 2 && file[5] === 1;
  if (!isSupported || file.readUInt16LE(16) !== ET_EXEC)
    throw new Error("Only 64-bit ELF executables of Linux are supported");
  setFuse(file);
  const start = Number(file.readBigUInt64LE(32));
  const count = file.readUInt16LE(56);
  const entries = Array.from({ length: count }, (_each, at) =>
    Buffer.from(file.subarray(start + at * ENTRY_BYTES, start + (at + 1) * ENTRY_BYTES)),
  );
  const note = noteOf(readFileSync(blob));
  const offset = align(file.length);
  const address = align(Math.max(...entries.filter((entry) => typeOf(entry) === PT_LOAD).map(endOf)));
  // The header table has no room to grow. An executable with fixed addresses needs no PT_PHDR, and Node no note about its build.
  const kept = entries.filter((entry) => typeOf(entry) !== PT_PHDR && typeOf(entry) !== PT_NOTE);
  const lastLoad = kept.findLastIndex((entry) => typeOf(entry) === PT_LOAD);
  const table = [
    ...kept.slice(0, lastLoad + 1),
    header(PT_LOAD, offset, address, note.length),
    ...kept.slice(lastLoad + 1),
    header(PT_NOTE, offset, address, note.length),
  ];
  if (table.length > count) throw new Error("The ELF file has no free program header");
  Buffer.concat(table).copy(file, start);
  file.writeUInt16LE(table.length, 56);
  writeFileSync(output, Buffer.concat([file, Buffer.alloc(offset - file.length), note]), { mode: 0o755 });
}

/** Node looks for the blob only if this is set. */
function setFuse(file) {
  const at = file.indexOf(FUSE);
  if (at === -1) throw new Error("This Node does not support single executable applications");
  file.write("1", at + FUSE.length, "latin1");
}

function noteOf(blob) {
  const head = Buffer.alloc(12 + 16);
  head.writeUInt32LE(NOTE_NAME.length, 0);
  head.writeUInt32LE(blob.length, 4);
  head.write(NOTE_NAME, 12, "latin1");
  return Buffer.concat([head, blob, Buffer.alloc((4 - (blob.length % 4)) % 4)]);
}

function header(type, offset, address, size) {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.writeUInt32LE(type, 0);
  entry.writeUInt32LE(4, 4);
  for (const [at, value] of [
    [8, offset],
    [16, address],
    [24, address],
    [32, size],
    [40, size],
    [48, type === PT_LOAD ? PAGE : 4],
  ])
    entry.writeBigUInt64LE(BigInt(value), at);
  return entry;
}

function typeOf(entry) {
  return entry.readUInt32LE(0);
}

function endOf(entry) {
  return Number(entry.readBigUInt64LE(16) + entry.readBigUInt64LE(40));
}

function align(value) {
  return Math.ceil(value / PAGE) * PAGE;
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { makeZip, type TestEntry } from "#test/zip";
import { readZip } from "./read-zip.ts";
import { writeZip, type ZippedFile } from "./write-zip.ts";
import { ZipFault } from "./zip-fault.ts";

const LIMITS = { maxEntries: 10, maxFileBytes: 1024 * 1024, maxBytes: 1024 * 1024, maxRatio: 100 };

const refused = (entries: readonly TestEntry[], reason: RegExp, change = (zip: Buffer) => zip) =>
  assert.rejects(readZip(change(makeZip(entries)), LIMITS), (fault: unknown) => {
    assert.ok(fault instanceof ZipFault, String(fault));
    assert.match(fault.message, reason);
    return true;
  });

async function zipped(files: readonly ZippedFile[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const given = async function* () {
    yield* files;
  };
  for await (const piece of writeZip(given())) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe("zip files", () => {
  it("contain the files that were written, and the same bytes each time", async (t) => {
    const file = fc.record({
      path: fc.stringMatching(/^[a-zäß]{1,8}(?:\/[a-z]{1,8}){0,2}$/),
      executable: fc.boolean(),
      content: fc.uint8Array({ maxLength: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 8 }), async (files) => {
        const archive = await zipped(files);
        assert.deepEqual(await zipped(files), archive);
        const read = await readZip(archive, { ...LIMITS, maxRatio: 1_000 });
        const expected = files.map(({ content, ...rest }) => ({ ...rest, content: Buffer.from(content) }));
        assert.deepEqual(
          read.map(({ path, executable, content }) => ({ path, executable, content })),
          expected.map(({ path, executable, content }) => ({ path, executable, content })),
        );
      }),
      { numRuns: 60, seed: seedFor(t) },
    );
  });

  it("are read with compressed files and folders", async () => {
    const text = "text ".repeat(30);
    const archive = makeZip([
      { path: "a/", mode: 0o040755 },
      { path: "a/b.txt", content: text, deflate: true, mode: 0o100755 },
    ]);
    const files = await readZip(archive, LIMITS);
    assert.deepEqual(
      files.map(({ path, executable, content }) => [path, executable, content.toString()]),
      [["a/b.txt", true, text]],
    );
  });

  it("are refused with links and other special files", async () => {
    await refused([{ path: "link", content: "/etc/passwd", mode: 0o120777 }], /which is a link/);
    await refused([{ path: "pipe", mode: 0o010644 }], /special file/);
  });

  it("are refused if they unpack to more than they may", async () => {
    const zeros = Buffer.alloc(900_000);
    await refused([{ path: "zeros", content: zeros, deflate: true }], /factor of more than 100/);
    await refused([{ path: "large", content: Buffer.alloc(1024 * 1024 + 1) }], /large is larger than 1 MiB/);
    const half = { content: Buffer.alloc(600_000) };
    await refused(
      [
        { path: "one", ...half },
        { path: "two", ...half },
      ],
      /is larger than 1 MiB when unpacked/,
    );
    await refused(
      Array.from({ length: 11 }, (_, at) => ({ path: `f${at}` })),
      /more than 10 entries/,
    );
  });

  it("are refused if a file is not what the directory says", async () => {
    const content = "x".repeat(2_000);
    await refused([{ path: "bomb", content, deflate: true, size: 10 }], /bomb is damaged/);
    await refused([{ path: "short", content, deflate: true, size: 2_001 }], /short is damaged/);
    await refused([{ path: "crc", content, crc: 1 }], /crc is damaged/);
    await refused([{ path: "name", localPath: "mane", content }], /not a valid ZIP file/);
    await refused([{ path: "secret", content, flags: 0x801 }], /is encrypted/);
    await refused([{ path: Buffer.from([0x61, 0xff]), content }], /not valid UTF-8/);
  });

  it("are refused if files overlap", async () => {
    const archive = makeZip([
      { path: "a", content: "1234" },
      { path: "a", content: "5678" },
    ]);
    // The second entry of the directory points to the first file.
    const second = archive.lastIndexOf("PK\x01\x02", undefined, "latin1");
    archive.writeUInt32LE(0, second + 42);
    archive.writeUInt32LE(archive.readUInt32LE(archive.indexOf("PK\x01\x02", 0, "latin1") + 16), second + 16);
    await assert.rejects(readZip(archive, LIMITS), /overlap/);
  });

  it("never fail with anything but a reason, whatever bytes they have", async (t) => {
    const valid = makeZip([{ path: "a/b", content: "abc".repeat(50), deflate: true }, { path: "c" }]);
    const damage = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(valid.length), async (changes, cut) => {
        const archive = Buffer.from(valid);
        for (const [at, value] of changes) archive[at] = value;
        for (const bytes of [archive, archive.subarray(0, cut)]) {
          await readZip(bytes, LIMITS).catch((fault: unknown) => assert.ok(fault instanceof ZipFault, String(fault)));
        }
      }),
      { numRuns: 300, seed: seedFor(t) },
    );
  });
});

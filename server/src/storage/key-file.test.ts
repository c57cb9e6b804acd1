import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { BadKeyFile, readKeyFile, readOrCreateKeyFile } from "./key-file.ts";

const directory = mkdtempSync(join(tmpdir(), "gatehouse-keys-"));
after(() => rmSync(directory, { recursive: true }));

let files = 0;
function fileWith(content: string | Buffer): string {
  const path = join(directory, `key-${files++}`);
  writeFileSync(path, content);
  return path;
}
const refuses = (path: string, message: RegExp) =>
  assert.throws(
    () => readKeyFile(path),
    (error) => error instanceof BadKeyFile && message.test(error.message) && error.message.includes(path),
  );

describe("a key file", () => {
  it("holds 32 bytes as base64, base64url or hex, with or without a line end", () => {
    const key = randomBytes(32);
    const [hex, ...others] = ["hex", "base64", "base64url"].map((encoding) => {
      const text = key.toString(encoding as BufferEncoding);
      assert.deepEqual(readKeyFile(fileWith(`${text}\r\n`)), readKeyFile(fileWith(text)));
      return readKeyFile(fileWith(text));
    });
    for (const other of others) assert.deepEqual(other, hex);
    assert.deepEqual(Buffer.from(hex?.key ?? []), key);
  });

  it("has an ID that reveals nothing of the key", () => {
    const key = randomBytes(32);
    const { id } = readKeyFile(fileWith(key.toString("hex")));
    assert.match(id, /^[0-9a-f]{16}$/);
    assert.ok(!key.toString("hex").includes(id));
  });

  it("is named in the error if it is missing", () => refuses(join(directory, "none"), /cannot be read: ENOENT/));

  for (const [what, content] of [
    ["nothing", ""],
    ["16 bytes", randomBytes(16).toString("base64")],
    ["33 bytes", randomBytes(33).toString("base64")],
    ["64 bytes", randomBytes(64).toString("hex")],
    ["bytes without an encoding", randomBytes(32)],
    ["a sentence that happens to decode", "please put the key of this installation here: !!"],
    ["two keys", `${randomBytes(32).toString("base64")}\n${randomBytes(32).toString("base64")}`],
  ] as const) {
    it(`is rejected if it holds ${what}`, () => refuses(fileWith(content), /must hold 32 bytes in base64 or hex$/));
  }

  for (const [what, key] of [
    ["zeros", Buffer.alloc(32)],
    ["one repeated byte", Buffer.alloc(32, 0x41)],
    ["a repeated word", Buffer.alloc(32, "abcd")],
  ] as const) {
    it(`is rejected if it holds ${what} (AUTH-8)`, () => refuses(fileWith(key.toString("base64")), /is not random/));
  }
});

describe("the key file of a first start", () => {
  it("is created once, readable only by its owner, without leftover files", () => {
    const path = join(mkdtempSync(join(directory, "fresh-")), "gatehouse.key");
    const made = readOrCreateKeyFile(path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const content = readFileSync(path);
    assert.deepEqual(readOrCreateKeyFile(path), made);
    assert.deepEqual(readFileSync(path), content);
    assert.deepEqual(readdirSync(join(path, "..")), ["gatehouse.key"]);
  });

  it("never replaces an invalid file", () => {
    const path = fileWith("half a ke");
    chmodSync(path, 0o640);
    assert.throws(() => readOrCreateKeyFile(path), BadKeyFile);
    assert.equal(readFileSync(path, "utf8"), "half a ke");
    assert.equal(statSync(path).mode & 0o777, 0o640);
  });

  it("is named in the error if it cannot be created", () => {
    assert.throws(() => readOrCreateKeyFile(join(directory, "no", "such", "folder")), /cannot be created: ENOENT/);
  });
});

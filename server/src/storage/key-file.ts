import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type WrappingKey, wrappingKey } from "./wrapping-key.ts";

/** An invalid key file: reported in one line, and startup fails (AUTH-8). */
export class BadKeyFile extends Error {
  override readonly name = "BadKeyFile";
}

const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** A key file holds 32 random bytes as base64 or hex, with or without a line end. */
export function readKeyFile(path: string): WrappingKey {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new BadKeyFile(`the key file ${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
  const key = HEX.test(text) ? Buffer.from(text, "hex") : BASE64.test(text) ? Buffer.from(text, "base64") : undefined;
  if (key?.length !== 32) throw new BadKeyFile(`the key file ${path} must hold 32 bytes in base64 or hex`);
  if (new Set(key).size < 8)
    throw new BadKeyFile(`the key in ${path} is not random: create one with: openssl rand -base64 32`);
  return wrappingKey(key);
}

/** Reads the key file, or creates it on the first start. Never changes an existing file. */
export function readOrCreateKeyFile(path: string): WrappingKey {
  // Creating a draft first would fail on a full disk, although nothing has to be written.
  if (!existsSync(path)) writeNewKey(path);
  return readKeyFile(path);
}

/** Creates a new key file for an operator. Never overwrites an existing file. */
export function createKeyFile(path: string): WrappingKey {
  if (!writeNewKey(path)) throw new BadKeyFile(`${path} already exists, and key files are never overwritten`);
  return readKeyFile(path);
}

/**
 * Readable only by its owner. The file gets its name only when it is complete and on disk, so that processes that start
 * concurrently read the same key and never a partial one. Returns false if the file exists.
 */
function writeNewKey(path: string): boolean {
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      // Unlike writeSync, never writes only a part without an error.
      writeFileSync(file, `${randomBytes(32).toString("base64")}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw new BadKeyFile(`the key file ${path} cannot be created: ${reasonOf(error)}`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { type WrappingKey, wrappingKey } from "./open-vault.ts";

/** A key file that cannot serve: said in one line, and the start ends (AUTH-8). */
export class BadKeyFile extends Error {
  override readonly name = "BadKeyFile";
}

/** A key file holds 32 random bytes as base64 or hex, with or without a line end. */
export function readKeyFile(path: string): WrappingKey {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new BadKeyFile(`the key file ${path} cannot be read`, { cause });
  }
  const key = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  if (key.length !== 32) throw new BadKeyFile(`the key file ${path} must hold 32 bytes in base64 or hex`);
  if (new Set(key).size < 8)
    throw new BadKeyFile(`the key in ${path} is not random: make one with: openssl rand -base64 32`);
  return wrappingKey(key);
}

/** Makes the key file on first start, readable by its owner alone; a file that is there is never touched. */
export function readOrMakeKeyFile(path: string): WrappingKey {
  try {
    const file = openSync(path, "wx", 0o600);
    writeSync(file, `${randomBytes(32).toString("base64")}\n`);
    closeSync(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
      throw new BadKeyFile(`the key file ${path} cannot be made`, { cause: error });
    }
  }
  return readKeyFile(path);
}

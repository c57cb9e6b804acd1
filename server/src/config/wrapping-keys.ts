import { existsSync } from "node:fs";
import { readKeyFile, readOrMakeKeyFile } from "#storage/key-file";
import type { WrappingKey } from "#storage/wrapping-key";
import { type Config, keyFileOf } from "./config.ts";

/** The current key first, then the previous one. A key file that was not named is made on the first start. */
export function makeWrappingKeys(config: Config): WrappingKey[] {
  const current = config.keyFile === undefined ? readOrMakeKeyFile(keyFileOf(config)) : readKeyFile(config.keyFile);
  return [current, ...previousKey(config)];
}

/** For commands beside a service: nothing is made, so before its first start there may be none. */
export function readWrappingKeys(config: Config): WrappingKey[] {
  const path = keyFileOf(config);
  const isGiven = config.keyFile !== undefined || config.previousKeyFile !== undefined;
  return isGiven || existsSync(path) ? [readKeyFile(path), ...previousKey(config)] : [];
}

function previousKey({ previousKeyFile }: Config): WrappingKey[] {
  return previousKeyFile === undefined ? [] : [readKeyFile(previousKeyFile)];
}

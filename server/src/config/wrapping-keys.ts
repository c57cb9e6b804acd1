import { existsSync } from "node:fs";
import { readKeyFile, readOrCreateKeyFile } from "#storage/key-file";
import type { WrappingKey } from "#storage/wrapping-key";
import { type Config, keyFileOf } from "./config.ts";

/** Returns the current key, then the previous one. If no key file is set, one is created on the first start. */
export function makeWrappingKeys(config: Config): WrappingKey[] {
  const current = config.keyFile === undefined ? readOrCreateKeyFile(keyFileOf(config)) : readKeyFile(config.keyFile);
  return [current, ...previousKey(config)];
}

/** For commands that run next to a service: creates nothing, so the result may be empty before the first start. */
export function readWrappingKeys(config: Config): WrappingKey[] {
  const path = keyFileOf(config);
  const isGiven = config.keyFile !== undefined || config.previousKeyFile !== undefined;
  return isGiven || existsSync(path) ? [readKeyFile(path), ...previousKey(config)] : [];
}

function previousKey({ previousKeyFile }: Config): WrappingKey[] {
  return previousKeyFile === undefined ? [] : [readKeyFile(previousKeyFile)];
}

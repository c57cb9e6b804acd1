import { statSync } from "node:fs";

/** Unlike `existsSync`, it throws if the answer is unknown, such as in a folder that this user must not read. */
export function fileExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

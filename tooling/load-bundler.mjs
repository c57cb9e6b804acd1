import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** Rolldown is the bundler of vite, in the version that the lock file pins. */
export function loadBundler() {
  const require = createRequire(import.meta.resolve("vite"));
  return import(pathToFileURL(require.resolve("rolldown")).href);
}

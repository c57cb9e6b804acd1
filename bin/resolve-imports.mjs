/**
 * Loaded first, also by test processes. Resolves imports of the project's files from their text alone. Node reads several
 * package.json files and file states for each of them, which is a fifth of the time to start the sources (decision 0207).
 * The bundle does not contain it.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const ROOT = new URL("..", import.meta.url).href;
const MODULES = `${ROOT}node_modules/`;
const { imports } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));

/** The start and the end of the URL, by the start of the specifier: "#lib/" → …/server/src/lib/ and the ending. */
const ROOMS = new Map(
  Object.entries(imports).map(([pattern, target]) => {
    const [folder, ending] = target.split("*");
    return [pattern.slice(0, -1), [new URL(folder, ROOT).href, ending]];
  }),
);

const TYPESCRIPT = /\.ts$/;
const SOURCE = /\.[jt]s$/;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const url = urlOf(specifier, context.parentURL);
    if (url === undefined) return nextResolve(specifier, context);
    return { url, format: TYPESCRIPT.test(url) ? "module-typescript" : "module", shortCircuit: true };
  },
});

/** Undefined for all other imports, which Node resolves. */
function urlOf(specifier, parent) {
  if (!parent?.startsWith(ROOT) || parent.startsWith(MODULES)) return;
  if (specifier.startsWith(".")) return SOURCE.test(specifier) ? new URL(specifier, parent).href : undefined;
  const start = specifier.slice(0, specifier.indexOf("/") + 1);
  const [folder, ending] = ROOMS.get(start) ?? [];
  return folder === undefined ? undefined : `${folder}${specifier.slice(start.length)}${ending}`;
}

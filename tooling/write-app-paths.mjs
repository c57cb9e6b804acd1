/**
 * The URLs of the admin app, which the server must answer with the app's page, from the routes in web/src/pages.
 *
 *   node tooling/write-app-paths.mjs           writes server/src/api/app/app-paths.ts
 *   node tooling/write-app-paths.mjs --check   fails when the committed file differs from the routes
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TARGET = "server/src/api/app/app-paths.ts";

const sources = globSync("web/src/pages/*/routes.ts", { cwd: ROOT }).sort();
const paths = sources.flatMap((source) => pathsIn(source, readFileSync(join(ROOT, source), "utf8")));
const lines = [...new Set(paths.map(serverPath))].sort().map((path) => `  ${JSON.stringify(path)},\n`);
const text = `// Generated from web/src/pages/*/routes.ts by \`npm run app-paths\`. Do not edit.

/** The URLs of the admin app. Other paths are answered with 404: a page for browsers, otherwise JSON. */
export const APP_PATHS = [
${lines.join("")}] as const;
`;

if (!process.argv.includes("--check")) {
  writeFileSync(join(ROOT, TARGET), text);
} else if (readFileSync(join(ROOT, TARGET), "utf8") !== text) {
  console.error(`${TARGET} is not up to date with the routes of the admin app. Run npm run app-paths.`);
  process.exitCode = 1;
}

/** The routes of one file. Each must state its path as a literal. */
function pathsIn(source, code) {
  const found = [...code.matchAll(/createRoute\(\{[^}]*?\bpath: "(\/[^"]*)"/g)].map(([, path]) => path);
  const routes = code.split("createRoute({").length - 1;
  if (found.length !== routes) throw new Error(`${source}: ${routes} routes, but ${found.length} with a literal path`);
  return found;
}

/** A parameter of the router matches one segment; the server matches everything below. */
function serverPath(path) {
  return path.replace(/\$.*$/, "*");
}

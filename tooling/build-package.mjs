/**
 * Builds the package for `npm install` into dist/package, and packs it: JavaScript without types, because Node does not
 * strip types in node_modules; the built admin app; and all packages at run time, so that it installs without a registry.
 *
 *   node tooling/build-package.mjs [folder]   writes dist/package and <folder>/gatehouse-<version>.tgz
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PACKAGE = join(ROOT, "dist/package");
const SOURCES = ["bin", "server/src", "cli/src", "openapi", "policy"];
const COPIED = [
  "server/catalog",
  "web/dist",
  "scan/dist",
  "docs/guide",
  "deploy",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
];
const NOT_SHIPPED = /\.(?:test|long|bench)\.ts$|\.wat$|README\.md$/;
/** A path of an import that ends in .ts; comments have no quotes around paths. */
const TS_PATH = /(["'])([#./][^"'\n]*)\.ts\1/g;

const [target = join(ROOT, "dist")] = process.argv.slice(2);
execFileSync(process.execPath, [join(ROOT, "tooling/build-web.mjs"), "--if-needed"], { cwd: ROOT, stdio: "inherit" });
rmSync(PACKAGE, { recursive: true, force: true });
for (const folder of SOURCES) for (const path of filesIn(join(ROOT, folder))) ship(relative(ROOT, path));
for (const path of COPIED)
  cpSync(join(ROOT, path), join(PACKAGE, path), { recursive: true, filter: (each) => !/\.test\.ts$/.test(each) });
writeManifest();
bundlePackages();
mkdirSync(resolve(target), { recursive: true });
const packed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", resolve(target)], {
  cwd: PACKAGE,
  encoding: "utf8",
}).trim();
process.stdout.write(`${join(resolve(target), packed)}\n`);

function ship(path) {
  if (NOT_SHIPPED.test(path)) return;
  const text = readFileSync(join(ROOT, path));
  const kind = extname(path);
  if (kind === ".ts") write(path.replace(/\.ts$/, ".js"), withJsPaths(stripTypeScriptTypes(text.toString("utf8"))));
  else if (kind === ".mjs") write(path, withJsPaths(text.toString("utf8")));
  else write(path, text);
}

function withJsPaths(text) {
  return text.replace(TS_PATH, "$1$2.js$1");
}

/** Only what an installation needs. */
function writeManifest() {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { name, version, description, license, type, engines, bin, dependencies } = manifest;
  const imports = Object.fromEntries(
    Object.entries(manifest.imports)
      .filter(([key]) => key !== "#test/*")
      .map(([key, path]) => [key, path.replace(/\.ts$/, ".js")]),
  );
  const shipped = { name, version, description, license, type, engines, bin, imports, dependencies };
  write("package.json", `${JSON.stringify({ ...shipped, bundleDependencies: true }, null, 2)}\n`);
}

/**
 * All packages at run time, as `npm ci` installed them: npm ignores the lock file of a package that it installs from a
 * tarball. None of them has code for one platform only.
 */
function bundlePackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  for (const [path, { dev, devOptional, optional }] of Object.entries(packages)) {
    if (path === "" || dev || devOptional || (optional && !existsSync(join(ROOT, path)))) continue;
    // Packages inside of a package have their own entries.
    const filter = (from) => !relative(join(ROOT, path), from).split(sep).includes("node_modules");
    cpSync(join(ROOT, path), join(PACKAGE, path), { recursive: true, filter });
  }
}

function write(path, content) {
  const to = join(PACKAGE, path);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, content, { mode: path.startsWith("bin/") ? 0o755 : 0o644 });
}

function filesIn(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) =>
      statSync(join(folder, name)).isDirectory() ? filesIn(join(folder, name)) : [join(folder, name)],
    );
}

/**
 * Builds the package for `npm install` into dist/package, and packs it: the bundled service (build-server.mjs), the files that
 * it reads, and the built admin app. It has no dependencies, so it installs without a registry.
 *
 *   node tooling/build-package.mjs [folder]   writes dist/package and <folder>/gatehouse-<version>.tgz
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleServer } from "./build-server.mjs";
import { APP_PACKAGES, packageName, shippedPackages } from "./shipped-packages.mjs";
import { filesAt } from "./source-hash.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PACKAGE = join(ROOT, "dist/package");
/** Below this folder, everything that is not bundled. */
const READ_AT_RUN_TIME = "server/src";
const COPIED = [
  "server/catalog",
  "web/dist",
  "scan/dist",
  "docs",
  "deploy",
  "openapi/admin.openapi.json",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "SECURITY.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
];
const NOT_READ = /\.(?:ts|mjs|wat|md)$/;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i;

const [target = join(ROOT, "dist")] = process.argv.slice(2);
execFileSync(process.execPath, [join(ROOT, "tooling/build-web.mjs"), "--if-needed"], { cwd: ROOT, stdio: "inherit" });
rmSync(PACKAGE, { recursive: true, force: true });
await bundleServer(join(PACKAGE, "bin"), "bin");
chmodSync(join(PACKAGE, "bin/gatehouse.mjs"), 0o755);
for (const path of filesAt(join(ROOT, READ_AT_RUN_TIME)).filter((each) => !NOT_READ.test(each)))
  cpSync(path, join(PACKAGE, relative(ROOT, path)));
for (const path of COPIED)
  cpSync(join(ROOT, path), join(PACKAGE, path), { recursive: true, filter: (each) => !/\.test\.ts$/.test(each) });
rmSync(join(PACKAGE, APP_PACKAGES));
writeManifest();
writeLicenses();
mkdirSync(resolve(target), { recursive: true });
const packed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", resolve(target)], {
  cwd: PACKAGE,
  encoding: "utf8",
}).trim();
process.stdout.write(`${join(resolve(target), packed)}\n`);

/** Only what an installation needs. */
function writeManifest() {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { name, version, description, license, type, engines, bin } = manifest;
  write("package.json", `${JSON.stringify({ name, version, description, license, type, engines, bin }, null, 2)}\n`);
  write("sbom.json", execFileSync(process.execPath, [join(ROOT, "tooling/write-sbom.mjs"), ROOT]));
}

/** Most licenses require that their text accompanies the code, which is in the bundle and in the admin app. */
function writeLicenses() {
  const texts = shippedPackages(ROOT)
    .filter(([path]) => existsSync(join(ROOT, path)))
    .map(([path, { version, license }]) => {
      const files = readdirSync(join(ROOT, path)).filter((name) => LICENSE_FILE.test(name));
      const title = `${packageName(path)} ${version}, ${license}`;
      return [title, ...files.map((name) => readFileSync(join(ROOT, path, name), "utf8").trim())].join("\n\n");
    });
  write("THIRD-PARTY-LICENSES.txt", `${texts.join(`\n\n${"-".repeat(72)}\n\n`)}\n`);
}

function write(path, content) {
  const to = join(PACKAGE, path);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, content);
}

/**
 * Builds the admin app into web/dist: vite's files, gzipped copies of large text files, and build.json, which lists the
 * files that the server may serve and a hash of the sources. Then builds the scan agent into scan/dist (build-scan.mjs).
 *
 *   node tooling/build-web.mjs [root]        builds
 *   node tooling/build-web.mjs --if-needed   before `npm start`: only if it is missing or its sources changed. If the
 *                                            build fails, it exits with 0, because the service runs without the app
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { APP_PACKAGES } from "./shipped-packages.mjs";
import { builtFrom, filesAt, sourceHash } from "./source-hash.mjs";

const OWN_ROOT = fileURLToPath(new URL("..", import.meta.url));
const [ROOT = OWN_ROOT] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const WEB = join(ROOT, "web");
const DIST = join(WEB, "dist");
/** Sources outside web/. */
const OTHER_SOURCES = ["openapi", "package-lock.json", "tooling/build-web.mjs"];
const SCAN_SOURCES = ["policy", "scan/src", "scan/mdm", "package-lock.json", "tooling/build-scan.mjs"];
const NOT_SOURCES = new Set(["dist", "test"]);
const TEXT = /\.(js|css|svg|html|json)$/;
const WORTH_PACKING_BYTES = 1024;

const ifNeeded = process.argv.includes("--if-needed");
try {
  const sources = hashOfSources();
  if (!ifNeeded || sources !== builtFrom(DIST)) await build(sources);
  await buildScanAgent();
} catch (error) {
  if (!ifNeeded) throw error;
  print(`The admin app could not be built: ${error.message}`);
  const instead = existsSync(DIST) ? "with the one that was built before" : "without it";
  print(`Gatehouse starts ${instead}; npm run web:build tries again.`);
}

async function build(sources) {
  const startedAt = performance.now();
  print("Building the admin app …");
  const { build: viteBuild } = await import("vite");
  // Built in another folder and then moved, so that a running service never sees an incomplete build.
  const fresh = join(ROOT, "node_modules/.cache", `web-${process.pid}`);
  try {
    const configFile = join(WEB, "vite.config.ts");
    await viteBuild({ configFile, logLevel: "warn", build: { outDir: fresh, emptyOutDir: true } });
    const served = filesIn(fresh).filter((path) => path !== basename(APP_PACKAGES));
    const files = Object.fromEntries(served.map((path) => [path, packed(join(fresh, path))]));
    writeFileSync(join(fresh, "build.json"), `${JSON.stringify({ sources, files }, null, 1)}\n`);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(fresh, DIST);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  print(`Built the admin app in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** The entry of a file in build.json. Creates a gzipped copy of a large text file. */
function packed(path) {
  const bytes = readFileSync(path);
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  if (!TEXT.test(path) || bytes.length < WORTH_PACKING_BYTES) return { digest, gzip: false };
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  return { digest, gzip: true };
}

/** A root without scan/ is one of the tests. */
async function buildScanAgent() {
  if (!existsSync(join(ROOT, "scan", "src"))) return;
  const sources = sourceHash(ROOT, SCAN_SOURCES);
  const dist = join(ROOT, "scan", "dist");
  if (ifNeeded && sources === builtFrom(dist)) return;
  const { buildScan } = await import("./build-scan.mjs");
  await buildScan({ dist });
  writeFileSync(join(dist, "build.json"), `${JSON.stringify({ sources })}\n`);
}

function hashOfSources() {
  const web = readdirSync(WEB).filter((name) => !NOT_SOURCES.has(name));
  return sourceHash(ROOT, [...web.map((name) => join("web", name)), ...OTHER_SOURCES]);
}

function filesIn(folder) {
  return filesAt(folder).map((path) => relative(folder, path));
}

function print(line) {
  process.stderr.write(`${line}\n`);
}

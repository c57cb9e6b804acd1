/**
 * Builds the admin app into web/dist: vite's files, a gzipped copy of each that gains by it, and build.json, which lists
 * what the server may serve and says from which sources it was made.
 *
 *   node tooling/build-web.mjs [root]        builds
 *   node tooling/build-web.mjs --if-needed   before `npm start`: only when it is missing or its sources changed. A build
 *                                            that fails is told and ends with 0, because the service runs without the app
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";

const OWN_ROOT = fileURLToPath(new URL("..", import.meta.url));
const [ROOT = OWN_ROOT] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const WEB = join(ROOT, "web");
const DIST = join(WEB, "dist");
/** What the built files depend on, beside web/ itself. */
const BESIDE = ["openapi", "package-lock.json", "tooling/build-web.mjs"];
const NOT_SOURCES = new Set(["dist", "test"]);
const TEXT = /\.(js|css|svg|html|json)$/;
const WORTH_PACKING_BYTES = 1024;

const ifNeeded = process.argv.includes("--if-needed");
try {
  const sources = hashOfSources();
  if (!ifNeeded || sources !== builtFrom()) await build(sources);
} catch (error) {
  if (!ifNeeded) throw error;
  tell(`The admin app could not be built: ${error.message}`);
  const instead = existsSync(DIST) ? "with the one that was built before" : "without it";
  tell(`Gatehouse starts ${instead}; npm run web:build tries again.`);
}

async function build(sources) {
  const startedAt = performance.now();
  tell("Building the admin app …");
  const { build: viteBuild } = await import("vite");
  // Beside what is served, and put in its place whole: a service that runs never sees half of it.
  const fresh = join(ROOT, "node_modules/.cache", `web-${process.pid}`);
  try {
    const configFile = join(WEB, "vite.config.ts");
    await viteBuild({ configFile, logLevel: "warn", build: { outDir: fresh, emptyOutDir: true } });
    const files = Object.fromEntries(filesIn(fresh).map((path) => [path, packed(join(fresh, path))]));
    writeFileSync(join(fresh, "build.json"), `${JSON.stringify({ sources, files }, null, 1)}\n`);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(fresh, DIST);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  tell(`Built the admin app in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** What build.json says of a file; a gzipped copy is made of those that gain by it. */
function packed(path) {
  const bytes = readFileSync(path);
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  if (!TEXT.test(path) || bytes.length < WORTH_PACKING_BYTES) return { digest, gzip: false };
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  return { digest, gzip: true };
}

function builtFrom() {
  const manifest = join(DIST, "build.json");
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).sources : undefined;
}

function hashOfSources() {
  const hash = createHash("sha256");
  const web = readdirSync(WEB).filter((name) => !NOT_SOURCES.has(name));
  for (const part of [...web.map((name) => join("web", name)), ...BESIDE]) {
    for (const path of filesAt(join(ROOT, part))) {
      const bytes = readFileSync(path);
      hash.update(`${relative(ROOT, path)} ${bytes.length}\n`).update(bytes);
    }
  }
  return hash.digest("hex");
}

function filesIn(folder) {
  return filesAt(folder).map((path) => relative(folder, path));
}

/** The path itself where it is a file, else all files below it, always in the same order. */
function filesAt(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesAt(join(path, name)));
}

function tell(line) {
  process.stderr.write(`${line}\n`);
}

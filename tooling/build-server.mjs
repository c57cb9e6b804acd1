/**
 * Bundles the service and its commands, with the packages that they use, into a few files in dist/bin. They start in about
 * half the time of more than 2,000 single files, and with less memory (decision 0208).
 *
 *   node tooling/build-server.mjs               builds
 *   node tooling/build-server.mjs --if-needed   before `npm start`: only if it is missing or its sources changed. If the
 *                                               build fails, `npm start` runs the sources
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { loadBundler } from "./load-bundler.mjs";
import { builtFrom, sourceHash } from "./source-hash.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist/bin");
const PROGRAM = "gatehouse.mjs";
const MANIFEST = "build.json";
const SOURCES = ["bin", "server/src", "cli/src", "policy", "openapi", "package.json", "package-lock.json"];
const TOOLS = ["tooling/build-server.mjs", "tooling/load-bundler.mjs"];
/** The program, and the threads that it starts by their file names. */
const ENTRIES = [
  "bin/gatehouse.mjs",
  "server/src/storage/start-sqlite-worker.mjs",
  "server/src/guards/pool/start-scan-worker.mjs",
  "server/src/api/ai-discovery/thread/start-report-worker.mjs",
];
const THREAD_URL = /new URL\("\.\/start-[a-z]+-worker\.mjs", import\.meta\.url\)/;

/**
 * `folder` is where the files are written; `place` is where they will be, relative to the root of the installation. Each
 * build has a folder, so that a process whose files were replaced does not load code of another build (decision 0214).
 */
export async function bundleServer(folder, place) {
  const { rolldown } = await loadBundler();
  const build = sourceHash(ROOT, [...SOURCES, ...TOOLS]).slice(0, 12);
  const built = await rolldown({
    input: Object.fromEntries(ENTRIES.map((path) => [posix.basename(path, ".mjs"), join(ROOT, path)])),
    cwd: ROOT,
    platform: "node",
    external: [/^node:/, "pg-native"],
    transform: { target: "node24" },
    plugins: [placedIn(`${place}/${build}`)],
    // Direct `eval` in a package that only formats its own warnings.
    checks: { eval: false },
  });
  await built.write({
    dir: join(folder, build),
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    comments: false,
    // Readable stack traces. V8 keeps the text of a file, with two bytes per character if one of them is not in Latin-1.
    minify: { compress: false, mangle: false, codegen: { asciiOnly: true, removeWhitespace: false } },
  });
  await built.close();
  writeFileSync(join(folder, PROGRAM), `#!/usr/bin/env node\nimport "./${build}/${PROGRAM}";\n`);
  return build;
}

/** Files that the service reads at run time are found from where their source was. */
function placedIn(place) {
  return {
    name: "placed-in",
    load: (id) => (id === join(ROOT, "bin/resolve-imports.mjs") ? "" : undefined),
    transform(code, id) {
      if (id.includes("node_modules") || !code.includes("import.meta.url") || THREAD_URL.test(code)) return;
      const path = relative(join(ROOT, place), id).split(sep).join("/");
      return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(path)}, import.meta.url)`);
    },
  };
}

async function buildIfNeeded() {
  const sources = sourceHash(ROOT, [...SOURCES, ...TOOLS]);
  if (process.argv.includes("--if-needed") && sources === builtFrom(DIST)) return;
  const startedAt = performance.now();
  // Built in another folder and then moved, so that a running service never sees an incomplete build.
  const fresh = `${DIST}.${process.pid}`;
  try {
    const build = await bundleServer(fresh, "dist/bin");
    moveBuild(fresh, build, sources);
    print(`Bundled the service in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  } catch (error) {
    if (!process.argv.includes("--if-needed")) throw error;
    print(`The service could not be bundled: ${error.message}`);
    print("Gatehouse starts from its sources, which takes longer; npm run server:build tries again.");
    mkdirSync(fresh, { recursive: true });
    writeFileSync(join(fresh, PROGRAM), 'import "../../bin/gatehouse.mjs";\n');
    moveBuild(fresh, undefined, undefined);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Keeps the previous build: a service that still runs loads parts of it on first use. */
function moveBuild(fresh, build, sources) {
  mkdirSync(DIST, { recursive: true });
  const manifest = join(DIST, MANIFEST);
  const previous = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : {};
  const kept = build === previous.build ? previous.kept : previous.build;
  if (build !== undefined) {
    rmSync(join(DIST, build), { recursive: true, force: true });
    renameSync(join(fresh, build), join(DIST, build));
  }
  renameSync(join(fresh, PROGRAM), join(DIST, PROGRAM));
  writeFileSync(manifest, `${JSON.stringify({ sources, build, kept })}\n`);
  for (const name of readdirSync(DIST).filter((each) => ![PROGRAM, MANIFEST, build, kept].includes(each)))
    rmSync(join(DIST, name), { recursive: true, force: true });
}

function print(line) {
  process.stderr.write(`${line}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildIfNeeded();

/**
 * Builds the scan agent into scan/dist:
 *   gatehouse-scan.mjs   one file without dependencies, for Node 20 or later, on every operating system
 *   gatehouse-scan.json  its version and SHA-256
 *   gatehouse-scan       a single executable for this platform, with --executable
 *   mdm/                 the templates of scan/mdm
 *
 *   node tooling/build-scan.mjs [--executable]
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { injectBlob } from "./inject-blob.mjs";
import { loadBundler } from "./load-bundler.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "scan", "dist");
const NAME = "gatehouse-scan";

/** Also called by build-web.mjs. */
export async function buildScan({ executable = false, dist = DIST } = {}) {
  const fresh = `${dist}.${process.pid}`;
  try {
    mkdirSync(fresh, { recursive: true });
    await bundle(join(fresh, `${NAME}.mjs`), "esm");
    const bytes = readFileSync(join(fresh, `${NAME}.mjs`));
    const version = /VERSION = "([^"]+)"/.exec(readFileSync(join(ROOT, "scan", "src", "version.ts"), "utf8"))?.[1];
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    writeFileSync(join(fresh, `${NAME}.json`), `${JSON.stringify({ version, sha256, size: bytes.length }, null, 1)}\n`);
    chmodSync(join(fresh, `${NAME}.mjs`), 0o755);
    cpSync(join(ROOT, "scan", "mdm"), join(fresh, "mdm"), { recursive: true });
    if (executable) await buildExecutable(fresh);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

async function bundle(file, format) {
  const { rolldown } = await loadBundler();
  const built = await rolldown({
    input: join(ROOT, "scan", "src", "main.ts"),
    cwd: ROOT,
    platform: "node",
    external: /^node:/,
    // The main file of jsonc-parser loads others in a way that cannot be bundled.
    resolve: { mainFields: ["module", "main"] },
    transform: { target: "node20" },
  });
  await built.write({
    file,
    format,
    codeSplitting: false,
    banner: format === "esm" ? "#!/usr/bin/env node" : undefined,
    minify: false,
  });
  await built.close();
}

/** A copy of this Node with the bundle inside. Node 25.5 and later can make it alone. */
async function buildExecutable(folder) {
  const script = join(folder, `${NAME}.cjs`);
  await bundle(script, "cjs");
  const output = join(folder, process.platform === "win32" ? `${NAME}.exe` : NAME);
  const config = join(folder, "sea.json");
  const blob = join(folder, "sea.blob");
  const settings = { main: script, disableExperimentalSEAWarning: true };
  if (canBuildSea()) {
    writeFileSync(config, JSON.stringify({ ...settings, output }));
    execFileSync(process.execPath, ["--build-sea", config], { stdio: "inherit" });
  } else {
    writeFileSync(config, JSON.stringify({ ...settings, output: blob }));
    execFileSync(process.execPath, ["--experimental-sea-config", config], { stdio: ["ignore", "ignore", "inherit"] });
    injectBlob(process.execPath, blob, output);
  }
  for (const file of [script, config, blob]) rmSync(file, { force: true });
}

function canBuildSea() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 25 || (major === 25 && minor >= 5);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildScan({ executable: process.argv.includes("--executable") });
}

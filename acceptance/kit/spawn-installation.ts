import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { send } from "./http.ts";
import type { Target } from "./target.ts";

export interface Installation {
  readonly target: Target;
  /** The process that the operator starts. */
  readonly pid: number;
  /** Set with `METRICS_PORT`. */
  readonly metricsUrl: string | undefined;
  stop(): Promise<void>;
}

const BIN = fileURLToPath(new URL("../../dist/bin/gatehouse.mjs", import.meta.url));
/** Prevents a hanging run; performance is not tested here. */
const REGISTRY_PATIENCE_MS = 60_000;
const GREETING = /^Gatehouse is running at (\S+)$/m;
const METRICS = /^ *Metrics +port (\d+) /m;

export interface InstallationNeeds {
  readonly registryUrl: string;
  /** If set, a new database of this Postgres is used instead of SQLite. */
  readonly postgresUrl?: string;
  /** The port of the public URL too, which browsers need; by default any free one. */
  readonly port?: number;
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts an installation like an operator does, and waits until it has synced its registry. */
export async function spawnInstallation({
  registryUrl,
  postgresUrl,
  port = 0,
  settings = {},
}: InstallationNeeds): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-acceptance-"));
  const token = randomBytes(24).toString("hex");
  const database = postgresUrl === undefined ? undefined : await createDatabase(postgresUrl);
  const child = spawn(process.execPath, [BIN, "serve"], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: "error",
      DRAIN_SECONDS: "0",
      // A slow test machine is not overload.
      MAX_EVENT_LOOP_DELAY_MS: "0",
      REGISTRY_URL: registryUrl,
      GATEHOUSE_BOOTSTRAP_TOKEN: token,
      ...(database ? { DATABASE_URL: database.url, GATEHOUSE_KEY_FILE: await makeKeyFile(dataDir) } : {}),
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  endWithUs(child);
  const ended = once(child, "exit");
  const { url, metricsUrl } = await addressOf(child);
  await untilRegistryIsRead(url, token);
  return {
    target: { name: database ? "postgres" : "sqlite", url, gatewayUrl: url, token },
    pid: child.pid ?? 0,
    metricsUrl,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
      if (child.exitCode !== 0) throw new Error(`the installation ended with ${child.exitCode ?? child.signalCode}`);
    },
  };
}

/** Stops with this process, even if it is killed. */
function endWithUs(child: ChildProcess): void {
  const watcher = spawn("sh", ["-c", 'read -r _; kill -9 "$0"', String(child.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.once("exit", () => watcher.kill("SIGKILL"));
}

async function addressOf(child: ChildProcess): Promise<{ url: string; metricsUrl: string | undefined }> {
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  while (child.exitCode === null && child.signalCode === null) {
    const url = GREETING.exec(output)?.[1];
    if (url !== undefined && (await isReady(url))) {
      const port = METRICS.exec(output)?.[1];
      return { url, metricsUrl: port === undefined ? undefined : `http://127.0.0.1:${port}` };
    }
    await sleep(20);
  }
  throw new Error(`the installation ended while starting: ${output}`);
}

async function isReady(url: string): Promise<boolean> {
  const answer = await send(url, "/readyz").catch(() => undefined);
  return answer?.status === 200;
}

/** The registry is synced after the start, which does not wait for it. */
async function untilRegistryIsRead(url: string, token: string): Promise<void> {
  const until = performance.now() + REGISTRY_PATIENCE_MS;
  while (performance.now() < until) {
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await send(url, "/api/connectors?source=registry&limit=1", { headers });
    if (body.totalCount > 0) return;
    await sleep(20);
  }
  throw new Error("the installation did not sync its registry");
}

async function makeKeyFile(dataDir: string): Promise<string> {
  const file = join(dataDir, "key");
  await writeFile(file, randomBytes(32).toString("base64"), { mode: 0o600 });
  return file;
}

async function createDatabase(postgresUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `gatehouse_acceptance_${randomBytes(6).toString("hex")}`;
  await runSql(postgresUrl, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runSql(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function runSql(postgresUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

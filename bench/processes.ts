import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { readStartCommand } from "#test/start-command";

export interface Running {
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from spawn to ready. */
  readonly startMs: number;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL("..", import.meta.url));

export function startUpstream(payloadBytes: number): Promise<Running> {
  return start([`${root}bench/upstream.ts`, String(payloadBytes)], {}, "/livez");
}

export function startPassThrough(upstreamPort: number): Promise<Running> {
  return start([`${root}bench/pass-through.ts`, String(upstreamPort)], {}, "/livez");
}

export function startMemoryServer(file: string): Promise<Running> {
  return start([`${root}bench/memory-server.ts`, file], {}, "/livez");
}

export function startGatehouse(dataDir: string, environment: Record<string, string> = {}): Promise<Running> {
  const { flags, environment: memory } = readStartCommand();
  return start(
    [...flags, `${root}dist/bin/gatehouse.mjs`, "serve"],
    { ...memory, DATA_DIR: dataDir, LOG_LEVEL: "error", DRAIN_SECONDS: "0", REGISTRY_SYNC: "off", ...environment },
    "/readyz",
  );
}

async function start(args: string[], environment: Record<string, string>, readyPath: string): Promise<Running> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await untilReady(`http://127.0.0.1:${port}${readyPath}`, child);
  return { port, pid: child.pid ?? 0, startMs: performance.now() - startedAt, stop: () => stop(child) };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(" ")} ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.text();
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}

/** The processor time of all threads of a process so far, in seconds. Linux keeps it in nanoseconds. */
export function cpuSeconds(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadCpuSeconds(pid, thread), 0);
}

/** Of the first thread, which serves the requests; others write the log and scan large texts. */
export function servingCpuSeconds(pid: number): number {
  return threadCpuSeconds(pid, String(pid));
}

function threadCpuSeconds(pid: number, thread: string): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e9;
}

export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) / 1024;
}

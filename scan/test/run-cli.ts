import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Report } from "#policy/types";
import type { FakeHome } from "./fake-home.ts";

export const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the scan agent as a process. `program` replaces its source, for example by the bundle. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program: readonly string[] = [process.execPath, MAIN],
): Promise<CliResult> {
  const [command = "", ...first] = program;
  const child = spawn(command, [...first, ...args], {
    env: {
      PATH: process.env.PATH ?? "",
      HOME: "/nonexistent",
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { code, stdout, stderr };
}

export async function scanHome({ home, state, systemRoot }: FakeHome, ...args: string[]): Promise<Report> {
  const result = await runCli([
    "scan",
    "--json",
    "--home",
    home,
    "--state-dir",
    state,
    "--system-root",
    systemRoot,
    ...args,
  ]);
  if (result.code !== 0) throw new Error(`scan exited with ${result.code}: ${result.stderr}`);
  return JSON.parse(result.stdout) as Report;
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { after } from "node:test";
import { makeDataDir } from "../databases.ts";
import { GATEHOUSE } from "../gatehouse-command.ts";

const running = new Set<ChildProcess>();
const directories: string[] = [];
after(() => {
  for (const child of running) child.kill("SIGKILL");
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A folder that is deleted after the tests. */
export async function newDataDir(): Promise<string> {
  const directory = await makeDataDir();
  directories.push(directory);
  return directory;
}

/** Runs the command as an operator would: a separate process with only the given environment. */
export function start(environment: Record<string, string>, args = ["serve"]) {
  const child = spawn(process.execPath, [...GATEHOUSE, ...args], {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: "warn",
      PORT: "0",
      DRAIN_SECONDS: "0",
      // A slow test machine is not overload.
      MAX_EVENT_LOOP_DELAY_MS: "0",
      REGISTRY_SYNC: "off",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk) => {
      output[name] += chunk;
    });
  }
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return { code, ...output };
  });
  const served = async (): Promise<string> => {
    for (;;) {
      const address = /Gatehouse is running at (\S+)\n(?: .*\n)+/.exec(output.stdout)?.[1];
      if (address !== undefined) return address;
      const end = await Promise.race([once(child.stdout, "data").then(() => undefined), ended]);
      if (end) throw new Error(`it ended with ${end.code}: ${end.stderr}`);
    }
  };
  return { child, output, ended, served };
}

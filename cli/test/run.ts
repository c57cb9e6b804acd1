import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { after } from "node:test";
import type { Service } from "#test/start-service";

const BIN = new URL("../../dist/bin/gatehouse.mjs", import.meta.url).pathname;

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<Ended>;
  /** Waits until stdout or stderr contains the text. */
  shows(text: string): Promise<void>;
}

/** A folder that is deleted after the tests. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-cli-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the CLI as a separate process, with only these environment variables. */
export function start(args: readonly string[], environment: Environment, cwd: string): Running {
  return startProcess([process.execPath, BIN, ...args], environment, cwd);
}

/** Starts the CLI at a terminal, which also shows stderr on stdout. */
function startAtTerminal(args: readonly string[], environment: Environment, cwd: string): Running {
  const command = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ");
  return startProcess(["script", "--quiet", "--return", "--command", command, "/dev/null"], environment, cwd);
}

function startProcess([program = "", ...args]: readonly string[], environment: Environment, cwd: string): Running {
  const env = { PATH: process.env.PATH ?? "", ...environment };
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  // Not every command reads its input.
  child.stdin.on("error", () => {});
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk) => {
      output[name] += chunk;
    });
  }
  const ended = once(child, "close").then(([code, signal]): Ended => ({ code, signal, ...output }));
  const shows = async (text: string): Promise<void> => {
    while (!output.stdout.includes(text) && !output.stderr.includes(text)) {
      const more = [once(child.stdout, "data"), once(child.stderr, "data")];
      const end = await Promise.race([...more.map((each) => each.then(() => undefined)), ended]);
      if (end) throw new Error(`the CLI exited without "${text}": ${JSON.stringify(end)}`);
    }
  };
  return { child, output, ended, shows };
}

export interface Shell {
  readonly folder: string;
  /** Runs `gatehouse` with these arguments to its end. */
  run(args: readonly string[], more?: { input?: string; environment?: Environment }): Promise<Ended>;
  start(args: readonly string[], environment?: Environment): Running;
  startAtTerminal(args: readonly string[], environment?: Environment): Running;
}

/** Runs the CLI with the service's admin token. */
export function openShell(service: () => Pick<Service, "url" | "token">): Shell {
  const folder = makeFolder();
  const beginWith =
    (run: typeof start) =>
    (args: readonly string[], environment: Environment = {}) => {
      const { url, token } = service();
      return run(args, { GATEHOUSE_URL: url, GATEHOUSE_TOKEN: token, ...environment }, folder);
    };
  const begin = beginWith(start);
  return {
    folder,
    start: begin,
    startAtTerminal: beginWith(startAtTerminal),
    run(args, { input = "", environment } = {}) {
      const { child, ended } = begin(args, environment);
      child.stdin.end(input);
      return ended;
    },
  };
}

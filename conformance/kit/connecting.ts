/** Runs the suite's client scenarios with Gatehouse, or a client behind it, as the client under test. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { json, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Task } from "./connect-and-call.ts";
import { type Check, COMMAND } from "./suite.ts";

export interface Judged<Outcome> {
  readonly scenario: string;
  readonly checks: readonly Check[];
  /** Everything except SUCCESS and INFO. */
  readonly wrong: readonly Check[];
  readonly passed: number;
  readonly outcome: Outcome;
}

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
/** The suite starts all scenarios concurrently, so the last one waits for all others. */
const TIMEOUT_MS = 240_000;

/** `which` are the suite's options for these scenarios; other scenarios that they select are ignored. */
export async function judgeClient<Outcome extends object>(
  which: readonly string[],
  scenarios: readonly string[],
  work: (task: Task) => Promise<Outcome>,
): Promise<Judged<Outcome>[]> {
  const outcomes = new Map<string, Outcome>();
  const tasks = await takeTasks(async (task) => {
    if (scenarios.includes(task.scenario)) outcomes.set(task.scenario, await work(task));
  });
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-conformance-results-"));
  try {
    const errors = await runClientSuite(which, directory, tasks);
    return await Promise.all(
      scenarios.map(async (scenario) => {
        const outcome = outcomes.get(scenario);
        if (!outcome) throw new Error(`${scenario} did not finish:\n${errors}`);
        const checks = await readChecks(directory, scenario);
        const wrong = checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO");
        return { scenario, checks, wrong, passed: checks.filter(({ status }) => status === "SUCCESS").length, outcome };
      }),
    );
  } finally {
    tasks.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** One at a time, because thirty concurrent scenarios would overload the machine. */
async function takeTasks(work: (task: Task) => Promise<void>): Promise<Server> {
  let last = Promise.resolve();
  const server = createServer(async (request, response) => {
    const task = (await json(request)) as Task; // sent by kit/client.ts
    const turn = last.then(() => work(task));
    last = turn.catch(() => {});
    turn.then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Returns the suite's stderr. */
async function runClientSuite(which: readonly string[], directory: string, tasks: Server): Promise<string> {
  const { port } = tasks.address() as AddressInfo; // listens on TCP
  // The suite splits the command at spaces, so it must not contain an absolute path.
  const options = ["--command", "node kit/client.ts", "--timeout", String(TIMEOUT_MS), "-o", directory];
  const child = spawn(process.execPath, [COMMAND, "client", ...which, ...options], {
    cwd: FOLDER,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      TASKS_URL: `http://127.0.0.1:${port}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  if (!output.includes("=== SUITE SUMMARY ===")) throw new Error(`the suite did not finish:\n${errors}`);
  return errors;
}

async function readChecks(directory: string, scenario: string): Promise<Check[]> {
  const [, group = "", name = ""] = /^(?:(.+)\/)?(.+)$/.exec(scenario) ?? [];
  const folders = await readdir(join(directory, group));
  const folder = folders.find((each) => each.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "") === name);
  if (folder === undefined) throw new Error(`the suite did not run ${scenario}`);
  return JSON.parse(await readFile(join(directory, group, folder, "checks.json"), "utf8"));
}

import assert from "node:assert/strict";
import { once } from "node:events";
import { it } from "node:test";
import { Worker } from "node:worker_threads";
import { THREAD_PRIORITIES, type ThreadPriority } from "./thread-priority.ts";

const PROGRAM = `
  import { readFileSync } from "node:fs";
  import { parentPort, workerData } from "node:worker_threads";
  import { setThreadPriority } from ${JSON.stringify(new URL("./thread-priority.ts", import.meta.url))};
  setThreadPriority(workerData);
  parentPort.postMessage(readFileSync("/proc/thread-self/stat", "utf8"));
`;
const [SCHED_OTHER, SCHED_IDLE] = ["0", "5"];

/** The `nice` value and the scheduling policy that Linux reports for a thread. */
async function priorityOf(
  priority: ThreadPriority,
  env = process.env,
): Promise<{ nice: string | undefined; policy: string | undefined }> {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`), {
    workerData: priority,
    execArgv: [],
    env,
  });
  const [stat] = (await once(worker, "message")) as [string];
  // The name, which is in parentheses, can contain spaces. The third field of proc_pid_stat(5) follows it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { nice: fields[19 - 3], policy: fields[41 - 3] };
}

const onLinux = { skip: process.platform !== "linux" };

it("lowers the priority of a thread, not that of others", onLinux, async () => {
  assert.deepEqual(await priorityOf(THREAD_PRIORITIES.query), { nice: "10", policy: SCHED_OTHER });
  assert.deepEqual(await priorityOf(THREAD_PRIORITIES.examination), { nice: "5", policy: SCHED_OTHER });
});

it("runs background work only while processors are idle", onLinux, async () => {
  assert.equal((await priorityOf(THREAD_PRIORITIES.background)).policy, SCHED_IDLE);
});

it("uses the lowest priority where the policy cannot be set", onLinux, async () => {
  const withoutCommands = { ...process.env, PATH: "/nonexistent" };
  assert.deepEqual(await priorityOf(THREAD_PRIORITIES.background, withoutCommands), {
    nice: "19",
    policy: SCHED_OTHER,
  });
});

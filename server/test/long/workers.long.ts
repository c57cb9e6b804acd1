/**
 * F28: processor time per call with two workers, including the supervisor, against one process. Each process gets the
 * same number of calls per second: a process with fewer calls handles fewer of them in one turn of its event loop,
 * and so needs more time for each. Both services run side by side, and rounds alternate, so that other load on the
 * machine affects both.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openTestSqlite } from "../databases.ts";
import { WorkerService } from "../worker-service.ts";

const ROUNDS = 9;
const SECONDS_PER_ROUND = 5;
/** Two workers get twice as many, which this test's own process can still send. */
const CALLS_PER_SECOND = 500;
const CONNECTIONS = 16;
const TICK_MS = 10;
const MOST_ADDED = 0.05;

it("uses at most 5% more processor time per call with two workers than with one process", async (t) => {
  const services: WorkerService[] = [];
  for (const WORKERS of ["1", "2"]) {
    const database = await openTestSqlite();
    const service = await WorkerService.start(database, { WORKERS });
    services.push(service);
    t.after(async () => {
      await service.close();
      await database.close();
    });
  }
  const perCall: number[][] = [[], []];
  // The first rounds only warm up.
  for (let round = -2; round < ROUNDS; round++) {
    for (const [at, service] of services.entries()) {
      const before = cpuMs(service);
      const calls = await callSteadily(service, CALLS_PER_SECOND * (at + 1));
      if (round >= 0) perCall[at]?.push((cpuMs(service) - before) / calls);
    }
  }
  const [one = [], two = []] = perCall;
  const ratio = median(two.map((value, at) => value / (one[at] ?? 0)));
  const [ofOne, ofTwo] = [median(one).toFixed(3), median(two).toFixed(3)];
  t.diagnostic(
    `processor time per call: ${ofOne} ms in one process, ${ofTwo} ms with two workers; ratio ${ratio.toFixed(3)}`,
  );
  assert.ok(ratio <= 1 + MOST_ADDED, `${(100 * (ratio - 1)).toFixed(1)}% more`);
});

/** Starts calls when they are due, no matter how long earlier ones take. */
async function callSteadily(service: WorkerService, perSecond: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const calls: Promise<void>[] = [];
  const total = perSecond * SECONDS_PER_ROUND;
  const startedAt = performance.now();
  while (calls.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1000));
    while (calls.length < due) calls.push(service.call(agent).then((answer) => assert.equal(answer.status, 200)));
    await sleep(1);
  }
  await Promise.all(calls);
  agent.destroy();
  return total;
}

/** Of the service's process and its workers. */
function cpuMs(workers: WorkerService): number {
  const all = [workers.service.pid, ...workers.pids()];
  return all.reduce((sum, pid) => sum + cpuTicks(pid) * TICK_MS, 0);
}

function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

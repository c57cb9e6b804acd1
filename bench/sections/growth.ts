import { load, median, percentile } from "../load.ts";
import { cpuSeconds, type Running, residentMb, startGatehouse } from "../processes.ts";
import type { Report } from "../report.ts";
import { callTarget } from "./calls.ts";
import { type Installation, install, LARGE, SMALL } from "./large.ts";

const ROUNDS = 5;
const CALLS = 5_000;
const CHANGES = 200;

/** From 10 servers and 100 machine users to 10,000 and 100,000: the cost of a call, the duration of a change, and the memory. */
export async function measureGrowth(report: Report): Promise<void> {
  const small = await install(SMALL);
  const large = await install(LARGE);
  const smallHouse = await startGatehouse(small.dataDir);
  const largeHouse = await startGatehouse(large.dataDir);
  report.add({
    what: "10,000 servers, 100,000 users: start to ready",
    seen: `${(largeHouse.startMs / 1000).toFixed(1)} s`,
    budget: "≤ 10 s",
    met: largeHouse.startMs <= 10_000,
  });
  await compareCpu(report, [smallHouse, small], [largeHouse, large]);
  await measureChanges(report, largeHouse, large);
  const memory = residentMb(largeHouse.pid);
  report.add({
    what: "— resident memory after the load",
    seen: `${memory.toFixed(0)} MB`,
    budget: "≤ 600 MB",
    met: memory <= 600,
  });
  await smallHouse.stop();
  await largeHouse.stop();
  await small.remove();
  await large.remove();
}

type Side = readonly [Running, Installation];

async function compareCpu(report: Report, small: Side, large: Side): Promise<void> {
  const sides = [small, large].map(([house, { credential }]) => ({
    pid: house.pid,
    target: callTarget(house.port, "server-0__echo", credential),
    costs: [] as number[],
  }));
  for (const { target } of sides) await load(target, 8, CALLS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { pid, target, costs } of sides) {
      const before = cpuSeconds(pid);
      await load(target, 8, CALLS);
      costs.push(((cpuSeconds(pid) - before) / CALLS) * 1e6);
    }
  }
  const [few = 0, many = 0] = sides.map(({ costs }) => median(costs));
  report.add({
    what: "CPU per tools/call, 10 servers and 100 users / 10,000 and 100,000",
    seen: `${few.toFixed(0)} / ${many.toFixed(0)} µs: ${(many / few).toFixed(2)}`,
    budget: "≤ 1.10",
    met: many / few <= 1.1,
  });
}

/** A server becomes a draft and active again: the gateway must apply each change before the API responds. */
async function measureChanges(report: Report, house: Running, { token, credential }: Installation): Promise<void> {
  const times = new Float64Array(CHANGES);
  for (let n = 0; n < CHANGES; n++) {
    const status = n % 2 === 0 ? "draft" : "active";
    const startedAt = performance.now();
    await setStatus(house.port, token, status);
    const listed = await isCallable(house.port, credential);
    times[n] = performance.now() - startedAt;
    if (listed !== (status === "active")) throw new Error(`the gateway did not apply the change: ${status}`);
  }
  times.sort();
  const p99 = percentile(times, 0.99);
  report.add({
    what: `— change until the API responds and it is in effect, ${CHANGES} times: p50, p99`,
    seen: `${percentile(times, 0.5).toFixed(1)}, ${p99.toFixed(1)} ms`,
    budget: "p99 ≤ 200 ms",
    met: p99 <= 200,
  });
}

async function setStatus(port: number, token: string, status: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/mcp-servers?slug=server-1`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ status }),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  await answer.text();
}

async function isCallable(port: number, credential: string): Promise<boolean> {
  const { body, headers } = callTarget(port, "server-1__echo", credential);
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", accept: "application/json" },
    ...(body === undefined ? {} : { body }),
  });
  return "result" in ((await answer.json()) as object);
}

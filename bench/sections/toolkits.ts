import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, type Target } from "../load.ts";
import { cpuSeconds, type Running, startGatehouse, startUpstream } from "../processes.ts";
import type { Report } from "../report.ts";
import { seed } from "../seed.ts";

const SIZE = { servers: 1_000, toolsPerServer: 1, toolBytes: 700, users: 1, groups: 2, serversOfFirstUser: 1_000 };
const TOOLKITS = 200;
const ROUNDS = 6;
const CONNECTIONS = 8;

interface Side {
  readonly gatehouse: Running;
  readonly dataDir: string;
  readonly credential: string;
}

/**
 * The same 1,000 servers and callers, with and without 200 toolkits and selections. Toolkits limit every server of the
 * first group that has no selection, and have all its tools, so both sides list the same. Compares processor time, because
 * the differences are smaller than the noise of throughput.
 */
export async function measureToolkits(report: Report): Promise<void> {
  const upstream = await startUpstream(200);
  const sides: Side[] = [];
  for (const toolkits of [0, TOOLKITS]) {
    const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
    const { credential } = await seed(dataDir, `http://127.0.0.1:${upstream.port}/mcp`, { ...SIZE, toolkits });
    sides.push({ gatehouse: await startGatehouse(dataDir), dataDir, credential });
  }
  try {
    const call = (name: string, path = "/mcp") => ({
      path,
      method: "tools/call",
      params: callParams(name),
      calls: 4_000,
    });
    await compare(report, sides, "tools/call, a server with a selection", call("server-999__echo"), 1.02);
    await compare(report, sides, "tools/call, a server that a toolkit limits", call("server-0__echo"), 1.02);
    await compare(
      report,
      sides,
      "tools/list, 1,000 tools",
      { path: "/mcp", method: "tools/list", params: {}, calls: 400 },
      1.1,
    );
    const [, withToolkits] = sides;
    if (!withToolkits) throw new Error("two sides were started");
    const inToolkit = await cpuPerCall(withToolkits, call("server-0__echo", "/mcp?toolkit=toolkit-0"));
    report.add({ what: "— tools/call with ?toolkit=", seen: `${inToolkit.toFixed(0)} µs` });
  } finally {
    for (const { gatehouse, dataDir } of sides) {
      await gatehouse.stop();
      rmSync(dataDir, { recursive: true });
    }
    await upstream.stop();
  }
}

interface Request {
  readonly path: string;
  readonly method: string;
  readonly params: object;
  readonly calls: number;
}

function callParams(name: string): object {
  return { name, arguments: { text: "hello" } };
}

async function compare(report: Report, sides: readonly Side[], what: string, request: Request, most: number) {
  const used = sides.map(() => 0);
  for (const side of sides) await cpuPerCall(side, request);
  for (let round = 0; round < ROUNDS; round++) {
    // Each side is first in every second round.
    for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const side = sides[at];
      if (side) used[at] = (used[at] ?? 0) + (await cpuPerCall(side, request)) / ROUNDS;
    }
  }
  const [without = 0, withToolkits = 0] = used;
  const ratio = withToolkits / without;
  report.add({
    what: `${what}: CPU without / with ${TOOLKITS} toolkits`,
    seen: `${without.toFixed(0)} / ${withToolkits.toFixed(0)} µs: ${ratio.toFixed(2)}`,
    budget: `≤ ${most.toFixed(2)}`,
    met: ratio <= most,
  });
}

/** In microseconds. */
async function cpuPerCall({ gatehouse, credential }: Side, { path, method, params, calls }: Request): Promise<number> {
  const target: Target = {
    port: gatehouse.port,
    path,
    headers: { authorization: `Bearer ${credential}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
  const before = cpuSeconds(gatehouse.pid);
  await load(target, CONNECTIONS, calls);
  return ((cpuSeconds(gatehouse.pid) - before) / calls) * 1_000_000;
}

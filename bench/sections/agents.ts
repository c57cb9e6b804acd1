import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, median } from "../load.ts";
import { startGatehouse, startUpstream } from "../processes.ts";
import type { Report } from "../report.ts";
import { seed } from "../seed.ts";
import { callTarget } from "./calls.ts";

const SIZE = { servers: 1, toolsPerServer: 20, toolBytes: 750, users: 1, groups: 1, serversOfFirstUser: 1 };
const AGENTS = 20;
const SCRIPT_CALLS = 100;
/** No session ends before its script does. */
const LIMITS = { max_concurrent: AGENTS, max_steps: 200, max_total_tokens: 10_000_000 };
const CONNECTIONS = 8;
const CALLS = 3_000;
const ROUNDS = 15;
const BUDGET = 1.2;

/** How agents that run slow down the calls of others. */
export async function measureAgents(report: Report): Promise<void> {
  const upstream = await startUpstream(200);
  const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  const { credential, token } = await seed(dataDir, `http://127.0.0.1:${upstream.port}/mcp`, SIZE);
  const gatehouse = await startGatehouse(dataDir);
  const ask = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `http://127.0.0.1:${gatehouse.port}${path}`;
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    // The callers know what they ask for.
    return ((await answer.json()) as { data: { identity: string; status: string } }).data;
  };
  try {
    const script = [...Array.from({ length: SCRIPT_CALLS }, () => ({ tool: "server-0__echo" })), { text: "Done" }];
    const agent = {
      ...{ name: "Busy", slug: "busy", instructions: "Work.", model: "scripted", status: "active" },
      ...{ provider: { type: "scripted", script }, limits: LIMITS },
    };
    const { identity } = await ask("POST", "/api/background-agents", agent);
    await ask("POST", "/api/groups", { name: "Agents" });
    await ask("POST", "/api/groups/Agents/integrations", { slugs: ["server-0"] });
    await ask("POST", "/api/groups/Agents/users", { emails: [identity] });
    const calls = callTarget(gatehouse.port, "server-0__echo", credential);
    await load(calls, CONNECTIONS, CALLS);
    const alone: number[] = [];
    const crowded: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      alone.push((await load(calls, CONNECTIONS, CALLS)).p99Ms);
      const inputs = Array.from({ length: AGENTS }, (_, n) => ({ input: `Round ${round}, ${n}`, wait_seconds: 60 }));
      const running = inputs.map((input) => ask("POST", "/api/background-agents/busy/invoke", input));
      crowded.push((await load(calls, CONNECTIONS, CALLS)).p99Ms);
      const failed = (await Promise.all(running)).filter(({ status }) => status !== "completed");
      if (failed.length > 0) throw new Error(`sessions ended as ${failed[0]?.status}`);
    }
    const ratio = median(crowded) / median(alone);
    report.add({
      what: `p99 of tools/call at ${CONNECTIONS} connections, alone / while ${AGENTS} agents run`,
      seen: `${median(alone).toFixed(1)} / ${median(crowded).toFixed(1)} ms: ${ratio.toFixed(2)}`,
      budget: `≤ ${BUDGET.toFixed(2)}`,
      met: ratio <= BUDGET,
    });
  } finally {
    await gatehouse.stop();
    await upstream.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, type Measured, median, type Target } from "../load.ts";
import { startGatehouse, startMemoryServer, startUpstream } from "../processes.ts";
import type { Report } from "../report.ts";
import { seed } from "../seed.ts";

const ROUNDS = 5;
const CALLS = 600;
const CONNECTIONS = 8;

/** `tools/list` of 1,000 tools, from one server and from a thousand, compared with the same bytes from memory. */
export async function measureLists(report: Report): Promise<void> {
  const upstream = await startUpstream(200);
  for (const [servers, toolsPerServer] of [
    [1, 1_000],
    [1_000, 1],
  ] as const) {
    const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
    const size = { servers, toolsPerServer, toolBytes: 700, users: 1, groups: 1, serversOfFirstUser: servers };
    const { credential } = await seed(dataDir, `http://127.0.0.1:${upstream.port}/mcp`, size);
    const gatehouse = await startGatehouse(dataDir);
    const ours: Target = {
      port: gatehouse.port,
      path: "/mcp",
      headers: { authorization: `Bearer ${credential}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    };
    const file = join(dataDir, "answer.json");
    let bytes = 0;
    await load(ours, 1, 1, (answer) => {
      const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
      if (JSON.parse(body).result.tools.length !== 1_000) throw new Error("not 1,000 tools");
      bytes = Buffer.byteLength(body);
      writeFileSync(file, body);
    });
    const memory = await startMemoryServer(file);
    const fromMemory: Target = { ...ours, port: memory.port, headers: {} };
    const rounds: Measured[][] = [[], []];
    for (const target of [fromMemory, ours]) await load(target, CONNECTIONS, CALLS);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [side, target] of [fromMemory, ours].entries()) {
        rounds[side]?.push(await load(target, CONNECTIONS, CALLS));
      }
    }
    const [bare = 0, list = 0] = rounds.map((side) => median(side.map((each) => each.perSecond)));
    report.add({
      what: `tools/list, 1,000 tools of ${servers} servers (${(bytes / 1024).toFixed(0)} KiB): from memory / gateway per second`,
      seen: `${bare.toFixed(0)} / ${list.toFixed(0)}: ${(list / bare).toFixed(2)}`,
      budget: "≥ 0.70",
      met: list / bare >= 0.7,
    });
    await memory.stop();
    await gatehouse.stop();
    rmSync(dataDir, { recursive: true });
  }
  await measureSearch(report, upstream.port);
  await upstream.stop();
}

const SEARCHES = 500;
const SEARCHED_TOOLS = 5_000;

/** `gatehouse__find_tools` over 5,000 tools, with the index in memory. */
async function measureSearch(report: Report, upstreamPort: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  const size = { servers: 100, toolsPerServer: SEARCHED_TOOLS / 100, toolBytes: 700, users: 1, groups: 1 };
  const { credential } = await seed(dataDir, `http://127.0.0.1:${upstreamPort}/mcp`, {
    ...size,
    serversOfFirstUser: 100,
  });
  const gatehouse = await startGatehouse(dataDir);
  const params = { name: "gatehouse__find_tools", arguments: { query: "search for the tool 17 of server 42" } };
  const target: Target = {
    port: gatehouse.port,
    path: "/mcp?tools=search",
    headers: { authorization: `Bearer ${credential}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  };
  const first = await load(target, 1, 1, (answer) => {
    const { result } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
    if (result.structuredContent.tools.length !== 10) throw new Error("not 10 tools");
  });
  await load(target, 1, SEARCHES);
  const { p50Ms } = await load(target, 1, SEARCHES);
  report.add({
    what: `find_tools over 5,000 tools: p50 (the first search, which builds the index: ${(first.seconds * 1_000).toFixed(0)} ms)`,
    seen: `${p50Ms.toFixed(1)} ms`,
    budget: "≤ 10 ms",
    met: p50Ms <= 10,
  });
  await gatehouse.stop();
  rmSync(dataDir, { recursive: true });
}

import type { Target } from "../load.ts";
import { startUpstream } from "../processes.ts";
import type { Report } from "../report.ts";
import { cpuOfSides, type Request, reportRatio, type Side, withSides } from "../sides.ts";

const SIZE = { servers: 1_000, toolsPerServer: 1, toolBytes: 700, users: 1, groups: 2, serversOfFirstUser: 1_000 };
const TOOLKITS = 200;
const WITH = { ...SIZE, toolkits: TOOLKITS };

/**
 * The same 1,000 servers and callers, with and without 200 toolkits and selections. Toolkits limit every server of the
 * first group that has no selection, and have all its tools, so both sides list the same.
 */
export async function measureToolkits(report: Report): Promise<void> {
  const upstream = await startUpstream(200);
  try {
    await withSides(upstream.port, [SIZE, WITH, SIZE, WITH], async (sides) => {
      await compare(report, sides, "tools/call, a server with a selection", callOf("server-999__echo"), 1.02);
      await compare(report, sides, "tools/call, a server that a toolkit limits", callOf("server-0__echo"), 1.02);
      await compare(report, sides, "tools/list, 1,000 tools", { targetOf: listTarget, calls: 60 }, 1.1);
      const [inToolkit = 0] = await cpuOfSides(sides.slice(1, 2), callOf("server-0__echo", "/mcp?toolkit=toolkit-0"));
      report.add({ what: "— tools/call with ?toolkit=", seen: `${inToolkit.toFixed(0)} µs` });
    });
  } finally {
    await upstream.stop();
  }
}

async function compare(report: Report, sides: readonly Side[], what: string, request: Request, most: number) {
  const [first = 0, firstWith = 0, second = 0, secondWith = 0] = await cpuOfSides(sides, request);
  reportRatio(
    report,
    `${what}, ${TOOLKITS} toolkits`,
    [
      [first, second],
      [firstWith, secondWith],
    ],
    most,
  );
}

function callOf(name: string, path = "/mcp"): Request {
  const params = { name, arguments: { text: "hello" } };
  return { targetOf: (side) => targetOf(side, path, "tools/call", params), calls: 600 };
}

function listTarget(side: Side): Target {
  return targetOf(side, "/mcp", "tools/list", {});
}

function targetOf({ gatehouse, credential }: Side, path: string, method: string, params: object): Target {
  return {
    port: gatehouse.port,
    path,
    headers: { authorization: `Bearer ${credential}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

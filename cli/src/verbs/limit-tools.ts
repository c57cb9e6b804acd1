import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { limitOptions, readLimits } from "../read-limits.ts";
import { verb } from "../verb.ts";

const LIMIT_COLUMNS: Columns<Schemas["McpServerTools"]["tools"][number]> = {
  TOOL: (tool) => tool.slug,
  "CALLS PER MINUTE": (tool) => tool.limits.calls_per_minute,
  "CONCURRENT CALLS": (tool) => tool.limits.concurrent_calls,
};

export const limitTools = verb({
  description: "Limit the calls to tools of an MCP server, for all users together",
  args: ["slug"],
  rest: "tool",
  options: limitOptions("to each of the tools"),
  example: "gatehouse servers limit-tools github create_issue --calls-per-minute 60",
  async run({ api, args, rest, options, out }) {
    const limits = readLimits(options);
    if (Object.keys(limits).length === 0) throw badUsage("Pass --calls-per-minute or --concurrent-calls.");
    const body = { limits: rest.map((name) => ({ tool: name, ...limits })) };
    const { data } = await api().updateMcpServerTools({ query: args, body });
    const limited = data.tools.filter((tool) => tool.limits.calls_per_minute ?? tool.limits.concurrent_calls);
    out.list(limited, LIMIT_COLUMNS, "No tool has limits.");
  },
});

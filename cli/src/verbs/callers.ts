import type { Schemas } from "#openapi/types";
import type { Columns } from "../output.ts";
import { readPages } from "../read-pages.ts";
import { LIMIT, SEARCH, verb } from "../verb.ts";

type Caller = Schemas["AccessCaller"];

const COLUMNS: Columns<Caller> = {
  EMAIL: (caller) => caller.email,
  ACCESS: (caller) => caller.verdict,
  GROUPS: (caller) => caller.groups.join(", "),
  REASON: (caller) => caller.says,
};

export const callers = verb({
  description: "Show who can call a tool, or any tool of a server, and why others cannot",
  args: ["tool"],
  options: {
    verdict: {
      type: "choice",
      choices: ["allowed", "not_connected", "refused"],
      description: "only users with this verdict",
    },
    search: SEARCH,
    limit: LIMIT,
  },
  example: "gatehouse callers github__create_issue --verdict allowed",
  async run({ api, args, options: { verdict, search, limit }, out }) {
    const client = api();
    const target = args.tool.includes("__") ? { tool: args.tool } : { server: args.tool };
    let summary: Schemas["CallersSummary"] | undefined;
    const rows = await readPages<Caller, number>(limit, async (most, cursor) => {
      const page = await client.listCallers({ query: { ...target, verdict, search, limit: most, cursor } });
      summary = page.summary;
      return { rows: page.data, next: page.pagination.nextCursor };
    });
    out.list(rows, COLUMNS, "No users match.");
    if (summary?.next_step) out.say(`No user can call it. ${summary.next_step}`);
  },
});

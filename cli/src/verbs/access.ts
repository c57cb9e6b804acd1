import type { Schemas } from "#openapi/types";
import type { Columns, Output } from "../output.ts";
import { readPages } from "../read-pages.ts";
import { LIMIT, verb } from "../verb.ts";

const COLUMNS: Columns<Schemas["AccessibleTool"]> = { TOOL: (row) => row.tool, REASON: (row) => row.why };

const STEPS: Columns<Schemas["AccessExplanation"]["steps"][number]> = {
  CHECK: (step) => step.check,
  PASSED: (step) => step.passed,
  RESULT: (step) => step.says,
};

export const access = verb({
  description: "List the tools that a user can call, or explain the access to one tool",
  args: ["email"],
  optional: "tool",
  options: { limit: LIMIT },
  example: "gatehouse access ada@example.com github__create_issue",
  async run({ api, args: { email }, rest: [tool], options, out }) {
    const client = api();
    if (tool !== undefined) {
      const { data } = await client.explainAccess({ query: { email, tool } });
      return explain(data, out);
    }
    let summary: Schemas["AccessSummary"] | undefined;
    const rows = await readPages<Schemas["AccessibleTool"], number>(options.limit, async (limit, cursor) => {
      const page = await client.listAccess({ query: { email, limit, cursor } });
      summary = page.summary;
      return { rows: page.data, next: page.pagination.nextCursor };
    });
    out.list(
      rows,
      COLUMNS,
      `${email} can call no tools. To find out why, pass a tool: gatehouse access ${email} <server>__<tool>`,
    );
    if (summary && summary.tools > 0 && !out.json) out.say(budgetOf(summary));
  },
});

/** F14. */
function budgetOf({ tools, tokens_estimate, largest }: Schemas["AccessSummary"]): string {
  const count = (value: number) => value.toLocaleString("en");
  const servers = largest.slice(0, 3).map(({ name, tokens_estimate: tokens }) => `${name} ${count(tokens)}`);
  const many = tools === 1 ? "1 tool takes" : `${count(tools)} tools take`;
  return `${many} about ${count(tokens_estimate)} tokens of a model's context. Largest: ${servers.join(", ")}.`;
}

function explain(explanation: Schemas["AccessExplanation"], out: Output): void {
  if (out.json) return out.record(explanation);
  out.list(explanation.steps, STEPS, "No checks ran.");
  for (const limit of explanation.limits) out.say(`${limit.says}.`);
  out.say(explanation.next_step === null ? explanation.says : `${explanation.says} ${explanation.next_step}`);
}

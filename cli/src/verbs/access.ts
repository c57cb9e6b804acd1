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
    const rows = await readPages<Schemas["AccessibleTool"], number>(options.limit, async (limit, cursor) => {
      const { data, pagination } = await client.listAccess({ query: { email, limit, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    out.list(
      rows,
      COLUMNS,
      `${email} can call no tools. To find out why, pass a tool: gatehouse access ${email} <server>__<tool>`,
    );
  },
});

function explain(explanation: Schemas["AccessExplanation"], out: Output): void {
  if (out.json) return out.record(explanation);
  out.list(explanation.steps, STEPS, "No checks ran.");
  for (const limit of explanation.limits) out.say(`${limit.says}.`);
  out.say(explanation.next_step === null ? explanation.says : `${explanation.says} ${explanation.next_step}`);
}

import type { Schemas } from "#openapi/types";
import type { Columns, Output } from "../output.ts";
import { readPages } from "../read-pages.ts";
import { LIMIT, verb } from "../verb.ts";

const COLUMNS: Columns<Schemas["AccessibleTool"]> = { TOOL: (row) => row.tool, WHY: (row) => row.why };

const STEPS: Columns<Schemas["AccessExplanation"]["steps"][number]> = {
  CHECK: (step) => step.check,
  PASSED: (step) => step.passed,
  FOUND: (step) => step.says,
};

export const access = verb({
  says: "Show which tools a user can call, and why; with a tool, why that one can or cannot be called",
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
    out.list(rows, COLUMNS, "tools");
  },
});

function explain(explanation: Schemas["AccessExplanation"], out: Output): void {
  if (out.json) return out.record(explanation);
  out.list(explanation.steps, STEPS, "steps");
  out.say(explanation.next_step === null ? explanation.says : `${explanation.says} ${explanation.next_step}`);
}

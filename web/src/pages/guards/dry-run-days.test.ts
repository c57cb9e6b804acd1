import assert from "node:assert/strict";
import { it } from "node:test";
import { type DryRun, sum } from "./dry-run-days.ts";

const day = (tool: string, block: number): DryRun => ({
  ...{ calls_examined: 10, calls_without_payload: 1, by_user: [{ email: "ada@example.com", count: block }] },
  would: { block, require_approval: 0, redact: 0, warn: 0, log: 0 },
  by_tool: [{ tool, count: block }],
  samples: [{ log_id: `1-${block}`, check_id: "a", certainty: 9, path: "arguments.text" }],
});

it("adds up the days of a dry run", () => {
  const { calls_examined, would, by_tool, by_user, samples } = sum(sum(day("a", 1), day("b", 3)), day("a", 1));
  assert.deepEqual([calls_examined, would.block], [30, 5]);
  assert.deepEqual(by_tool, [
    { tool: "b", count: 3 },
    { tool: "a", count: 2 },
  ]);
  assert.deepEqual(by_user, [{ email: "ada@example.com", count: 5 }]);
  assert.equal(samples.length, 3);
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Step } from "./agents.ts";
import { entriesOf } from "./entries.ts";

function step(index: number, type: Step["type"], changes: Partial<Step> = {}): Step {
  return {
    ...{ index, type, role: "assistant", text: null, tool_name: null, arguments: null, is_error: false, guard: null },
    ...{ guard_action: null, approval_id: null, tokens: null, truncated: false },
    ...{ started_at: "2026-01-01T00:00:00.000Z", duration_ms: 1 },
    ...changes,
  };
}

describe("entries of a transcript", () => {
  it("join a call with its approval and its result, and leave out empty answers", () => {
    const entries = entriesOf([
      step(0, "model", { text: "" }),
      step(1, "tool_call"),
      step(2, "approval"),
      step(3, "tool_result"),
      step(4, "tool_call"),
      step(5, "model", { text: "Done" }),
    ]);
    const shown = entries.map((entry) =>
      entry.kind === "text" ? entry.step.index : [entry.call.index, entry.approvals.length, entry.result?.index],
    );
    assert.deepEqual(shown, [[1, 1, 3], [4, 0, undefined], 5]);
  });

  it("keep a result without its call", () => {
    assert.equal(entriesOf([step(7, "tool_result", { text: "x" })]).length, 1);
  });
});

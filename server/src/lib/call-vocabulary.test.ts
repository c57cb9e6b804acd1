import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUTH_METHODS, CALL_GUARD_ACTIONS, CALL_METHODS, CALL_OUTCOMES } from "./call-vocabulary.ts";

/** The entries by their stored number. New entries are added at the end, here and in the vocabulary. */
const STORED_OUTCOMES = {
  0: "ok",
  1: "tool_error",
  2: "error",
  3: "denied",
  4: "upstream_failed",
  5: "timeout",
  6: "cancelled",
  7: "interrupted",
  8: "not_connected",
  9: "blocked",
  10: "pending_approval",
};
const STORED_METHODS = {
  0: "other",
  1: "tools/call",
  2: "tools/list",
  3: "prompts/get",
  4: "resources/read",
  5: "completion/complete",
  6: "plugin.fetch",
};
const STORED_AUTH_METHODS = { 0: "machine_key", 1: "oauth", 2: "exchange", 3: "agent", 4: "app", 5: "library" };
const STORED_GUARD_ACTIONS = { 0: "log", 1: "warn", 2: "redact", 3: "require_approval", 4: "block" };

describe("the vocabularies of the call log", () => {
  it("keep the number of each entry, because stored calls refer to it", () => {
    assert.deepEqual({ ...CALL_OUTCOMES }, STORED_OUTCOMES);
    assert.deepEqual({ ...CALL_METHODS }, STORED_METHODS);
    assert.deepEqual({ ...AUTH_METHODS }, STORED_AUTH_METHODS);
    assert.deepEqual({ ...CALL_GUARD_ACTIONS }, STORED_GUARD_ACTIONS);
  });
});

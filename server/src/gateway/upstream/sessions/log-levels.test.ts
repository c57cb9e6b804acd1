import assert from "node:assert/strict";
import { it } from "node:test";
import { LogLevels } from "./log-levels.ts";

it("ignores a level from the database that is older than the caller's last request", () => {
  const levels = new LogLevels();
  assert.equal(levels.set("mcp_1", "warning", 100), true);
  assert.equal(levels.set("mcp_1", "debug", 200), true);
  assert.equal(levels.set("mcp_1", "warning", 100), false, "the echo of the first request");
  assert.equal(levels.set("mcp_1", "debug", 200), false, "the echo of the second");
  assert.equal(levels.set("mcp_1", "error", 300), true, "a later request, from another process");
});

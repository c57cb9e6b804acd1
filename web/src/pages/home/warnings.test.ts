import assert from "node:assert/strict";
import { it } from "node:test";
import { warningsOf } from "./warnings.ts";

const HEALTHY = {
  needs_setup: false,
  sync_error: null,
  tools_changed_count: 0,
  connections: { connected: 3, reconnect_needed: 0 },
};

it("has no warnings for a healthy server", () => {
  assert.deepEqual(warningsOf(HEALTHY), []);
});

it("lists the most severe warning first and links to the tab with the fix", () => {
  const connection = { url: "https://mcp.example.com/mcp" };
  const failing = {
    ...HEALTHY,
    needs_setup: true,
    auth_type: "proxy-oauth",
    connection,
    sync_error: "HTTP 500",
    health: { status: "failing", message: "The server answers with HTTP 500" },
    tools_changed_count: 2,
    connections: { connected: 0, reconnect_needed: 1 },
  } as const;
  assert.deepEqual(
    warningsOf(failing).map(({ label, tab }) => [label, tab]),
    [
      ["Needs setup", "auth"],
      ["Unreachable", undefined],
      ["Failing", "logs"],
      ["Tools changed", "tools"],
      ["Needs reconnection", "connections"],
    ],
  );
});

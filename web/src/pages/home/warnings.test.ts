import assert from "node:assert/strict";
import { it } from "node:test";
import { warningsOf } from "./warnings.ts";

const HEALTHY = {
  needs_setup: false,
  health: { status: "healthy", cause: null, message: null, since: null },
  tools_changed_count: 0,
  connections: { connected: 3, reconnect_needed: 0 },
} as const;

it("has no warnings for a healthy server", () => {
  assert.deepEqual(warningsOf(HEALTHY), []);
});

it("reports failing calls with their cause", () => {
  const health = { status: "failing", cause: "timeout", message: "Timed out after 30 s", since: null } as const;
  const [warning] = warningsOf({ ...HEALTHY, health });
  assert.deepEqual(
    [warning?.label, warning?.text, warning?.tab],
    ["Failing", "Calls fail: Timed out after 30 s.", "logs"],
  );
});

it("lists the most severe warning first and links to the tab with the fix", () => {
  const connection = { url: "https://mcp.example.com/mcp" };
  const failing = {
    ...HEALTHY,
    needs_setup: true,
    auth_type: "proxy-oauth",
    connection,
    health: { status: "unreachable", cause: "server_error", message: "HTTP 500", since: null },
    tools_changed_count: 2,
    connections: { connected: 0, reconnect_needed: 1 },
  } as const;
  assert.deepEqual(
    warningsOf(failing).map(({ label, tab }) => [label, tab]),
    [
      ["Needs setup", "auth"],
      ["Unreachable", undefined],
      ["Tools changed", "tools"],
      ["Needs reconnection", "connections"],
    ],
  );
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { warningsOf } from "./warnings.ts";

const WELL = {
  needs_setup: false,
  sync_error: null,
  tools_changed_count: 0,
  connections: { connected: 3, reconnect_needed: 0 },
};

it("a server that is well is not mentioned", () => {
  assert.deepEqual(warningsOf(WELL), []);
});

it("each warning is told with where it is mended, the worst first", () => {
  const connection = { url: "https://mcp.example.com/mcp" };
  const sick = {
    ...WELL,
    needs_setup: true,
    auth_type: "proxy-oauth",
    connection,
    sync_error: "HTTP 500",
    tools_changed_count: 2,
    connections: { connected: 0, reconnect_needed: 1 },
  } as const;
  assert.deepEqual(
    warningsOf(sick).map(({ label, tab }) => [label, tab]),
    [
      ["Needs setup", "auth"],
      ["Cannot be read", undefined],
      ["Tools changed", "tools"],
      ["Connect again", "connections"],
    ],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { modernRequestHeaders } from "./headers.ts";

test("passes only well-formed Mcp-Param-* headers of the caller (GW-15)", () => {
  const given = ["mcp-param-a", "1", "Mcp-Param-B", "=?base64?eA==?=", "authorization", "x", "mcp-param-", "1"];
  const bad = ["mcp-param-c", "1\r\nx: y", "mcp-param-d\r\nx", "1", "mcp-session-id", "s", "mcp-param-e", "\0"];
  assert.deepEqual(modernRequestHeaders("tools/call", undefined, [...given, ...bad]), [
    "mcp-method",
    "tools/call",
    "mcp-param-a",
    "1",
    "Mcp-Param-B",
    "=?base64?eA==?=",
  ]);
});

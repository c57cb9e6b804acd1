import assert from "node:assert/strict";
import { it } from "node:test";
import { UpstreamMeters } from "./upstream-meter.ts";

it("names at most a hundred servers and counts the others together", () => {
  const meters = new UpstreamMeters();
  for (let n = 0; n < 150; n++) meters.of(`server-${n}`).record("tools/call", "up", 0.1);
  meters.of("server-0").record("tools/call", "down", 1);
  meters.of("server-149").record("prompts/get", "none", 1);
  const series = [...meters.durations()].map(([labels, { counts }]) => ({
    ...labels,
    calls: counts.reduce((a, b) => a + b),
  }));
  assert.equal(series.length, 103);
  assert.deepEqual(
    series.filter(({ server }) => server === "_other"),
    [
      { server: "_other", mcp_method_name: "tools/call", error_type: "", calls: 50 },
      { server: "_other", mcp_method_name: "prompts/get", error_type: "_OTHER", calls: 1 },
    ],
  );
  assert.equal(
    series.find(({ server, error_type }) => server === "server-0" && error_type !== "")?.error_type,
    "unavailable",
  );
  assert.equal(meters.of("server-149").name, "_other");
});

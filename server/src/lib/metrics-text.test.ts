import assert from "node:assert/strict";
import { it } from "node:test";
import { BOUNDS, DurationHistogram } from "./duration-histogram.ts";
import { MetricsText } from "./metrics-text.ts";

it("writes gauges and counters with and without labels, and escapes labels", () => {
  const text = new MetricsText();
  text.gauge("up", "Whether it is up", 1);
  text.counter("seen_total", "What was seen", [[{ name: 'a"b\\c\nd', kind: "x" }, 2]]);
  assert.equal(
    String(text),
    [
      "# HELP up Whether it is up",
      "# TYPE up gauge",
      "up 1",
      "# HELP seen_total What was seen",
      "# TYPE seen_total counter",
      'seen_total{name="a\\"b\\\\c\\nd",kind="x"} 2',
      "",
    ].join("\n"),
  );
});

it("counts a duration in its own bucket and all larger ones, including the bound", () => {
  const histogram = new DurationHistogram();
  for (const seconds of [0, 0.001, 0.0011, 1, 300, 301]) histogram.record(seconds);
  const text = new MetricsText();
  text.histogram("took_seconds", "How long it took", [[{ of: "x" }, histogram]]);
  const lines = String(text).trimEnd().split("\n");
  const below = (le: string) => lines.find((line) => line.startsWith(`took_seconds_bucket{of="x",le="${le}"}`));
  assert.equal(below("0.001"), 'took_seconds_bucket{of="x",le="0.001"} 2');
  assert.equal(below("0.002"), 'took_seconds_bucket{of="x",le="0.002"} 3');
  assert.equal(below("1"), 'took_seconds_bucket{of="x",le="1"} 4');
  assert.equal(below("300"), 'took_seconds_bucket{of="x",le="300"} 5');
  assert.equal(below("+Inf"), 'took_seconds_bucket{of="x",le="+Inf"} 6');
  assert.equal(lines.length, 2 + BOUNDS.length + 1 + 2);
  assert.equal(lines.at(-1), 'took_seconds_count{of="x"} 6');
});

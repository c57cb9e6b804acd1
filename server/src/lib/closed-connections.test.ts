import assert from "node:assert/strict";
import { it } from "node:test";
import { ClosedConnections } from "./closed-connections.ts";

it("counts closed connections, and logs each reason once per minute with the number since the last line", () => {
  const lines: unknown[] = [];
  let now = 0;
  const closed = new ClosedConnections(
    { monotonic: () => now },
    { warn: (...line: unknown[]) => void lines.push(line) },
  );
  for (let n = 0; n < 3; n++) closed.add("unread", "203.0.113.7");
  closed.add("limit", undefined);
  now += 60_000;
  closed.add("unread", "203.0.113.8");
  assert.deepEqual(closed.counts, { unread: 4, pipelined: 0, limit: 1 });
  const unread = "A connection was closed because its response was not read for more than 60 s";
  assert.deepEqual(lines, [
    [{ peer: "203.0.113.7", connections: 1 }, unread],
    [
      { peer: undefined, connections: 1 },
      "A connection was closed because its address has as many open connections as CONNECTIONS_PER_ADDRESS allows",
    ],
    [{ peer: "203.0.113.8", connections: 3 }, unread],
  ]);
});

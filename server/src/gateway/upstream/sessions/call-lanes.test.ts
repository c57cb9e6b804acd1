import assert from "node:assert/strict";
import { it } from "node:test";
import { CallLanes } from "./call-lanes.ts";

const FREE = () => true;

it("gives each open call of a caller another number, and reuses numbers", () => {
  const lanes = new CallLanes();
  assert.deepEqual([lanes.take("a", FREE), lanes.take("a", FREE), lanes.take("b", FREE)], [0, 1, 0]);
  lanes.release("a", 0);
  assert.deepEqual([lanes.take("a", FREE), lanes.take("a", FREE)], [0, 2]);
  assert.equal(
    lanes.take("c", (lane) => lane > 3),
    4,
    "sessions of other calls are skipped",
  );
});

it("is used while a call waits for answers", () => {
  const lanes = new CallLanes();
  assert.deepEqual([lanes.areUsed, lanes.isHeld("a")], [false, false]);
  lanes.hold("a", 1);
  lanes.hold("a", 1);
  lanes.hold("a", -1);
  assert.deepEqual([lanes.areUsed, lanes.isHeld("a"), lanes.isHeld("b")], [true, true, false]);
  lanes.hold("a", -1);
  assert.equal(lanes.areUsed, false);
});

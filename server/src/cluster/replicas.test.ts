import assert from "node:assert/strict";
import { afterEach, before, it } from "node:test";
import { createLogger } from "#lib/logger";
import { forgetProcess, recordHeartbeat } from "#records/leases";
import type { MainDb } from "#storage/database";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { ReplicaMonitor } from "./replicas.ts";

forEachDatabase("replicas of one organization", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
  });
  afterEach(async () => {
    for (const id of ["one", "two"]) await forgetProcess(db, id);
  });

  /** Its clock only moves when the test advances it, so its heartbeat only changes then. */
  function replica(id: string, start?: number, database = db) {
    const clock = testClock(start);
    const seen = { left: 0 };
    const options = { db: database, clock, logger: createLogger("silent"), id, left: () => seen.left++ };
    return { clock, seen, monitor: new ReplicaMonitor(options) };
  }

  it("detect each other from the start, and none when running alone", async () => {
    const [one, two] = [replica("one"), replica("two")];
    await one.monitor.start();
    assert.deepEqual([one.monitor.others(), await one.monitor.look()], [false, false]);
    await two.monitor.start();
    assert.equal(two.monitor.others(), true);
    assert.equal(await one.monitor.look(), true);
    for (const { monitor } of [one, two]) await monitor.stop();
  });

  it("report once that another has stopped", async () => {
    const [one, two] = [replica("one"), replica("two")];
    for (const { monitor } of [one, two]) await monitor.start();
    await one.monitor.look();
    await two.monitor.stop();
    assert.deepEqual([await one.monitor.look(), one.seen.left], [false, 1]);
    assert.deepEqual([await one.monitor.look(), one.seen.left], [false, 1]);
    await one.monitor.stop();
  });

  it("consider one without new heartbeats gone, whatever its clock says, and back when it sends one", async () => {
    const [one, two] = [replica("one"), replica("two", Date.UTC(2030, 0, 1))];
    await two.monitor.start();
    for (let turn = 0; turn < 3; turn++) await one.monitor.turn();
    assert.deepEqual([one.seen.left, one.monitor.has("two")], [0, true]);
    await one.monitor.turn();
    assert.deepEqual([one.seen.left, one.monitor.has("two"), one.monitor.others()], [1, false, true]);
    two.clock.advance(1);
    await two.monitor.turn();
    await one.monitor.turn();
    assert.deepEqual([one.seen.left, one.monitor.has("two")], [1, true]);
    for (let turn = 0; turn < 120; turn++) await one.monitor.turn();
    assert.deepEqual([one.seen.left, await one.monitor.look()], [2, false]);
    await two.monitor.stop();
  });

  it("report one that is gone although the database failed in the turn that would have noticed it", async () => {
    const failing = (await open()).databases.main;
    const reads = { fail: false };
    const one = replica(
      "one",
      undefined,
      failing.withPlugin({
        transformQuery({ node }) {
          if (reads.fail && node.kind === "SelectQueryNode") throw new Error("the database failed");
          return node;
        },
        transformResult: async ({ result }) => result,
      }),
    );
    await recordHeartbeat(failing, "two", 1);
    for (let turn = 0; turn < 3; turn++) await one.monitor.turn();
    reads.fail = true;
    await one.monitor.turn();
    assert.equal(one.seen.left, 0);
    reads.fail = false;
    for (let turn = 0; turn < 3; turn++) await one.monitor.turn();
    assert.equal(one.seen.left, 1);
  });
});

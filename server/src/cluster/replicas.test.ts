import assert from "node:assert/strict";
import { afterEach, before, it } from "node:test";
import { createLogger } from "#lib/logger";
import { forgetProcess } from "#records/leases";
import type { MainDb } from "#storage/database";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { FollowedReplicas } from "./replicas.ts";

forEachDatabase("processes of one organization", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
  });
  afterEach(async () => {
    for (const id of ["one", "two"]) await forgetProcess(db, id);
  });

  /** Its clock stands still unless it is moved: what it says is new only then. */
  function replica(id: string, start?: number) {
    const clock = testClock(start);
    const seen = { left: 0 };
    const followed = new FollowedReplicas({ db, clock, logger: createLogger("silent"), id, left: () => seen.left++ });
    return { clock, seen, followed };
  }

  it("know of each other from the start, and of nobody when they are alone", async () => {
    const [one, two] = [replica("one"), replica("two")];
    await one.followed.start();
    assert.deepEqual([one.followed.others(), await one.followed.look()], [false, false]);
    await two.followed.start();
    assert.equal(two.followed.others(), true);
    assert.equal(await one.followed.look(), true);
    for (const { followed } of [one, two]) await followed.stop();
  });

  it("tell once that another has stopped", async () => {
    const [one, two] = [replica("one"), replica("two")];
    for (const { followed } of [one, two]) await followed.start();
    await one.followed.look();
    await two.followed.stop();
    assert.deepEqual([await one.followed.look(), one.seen.left], [false, 1]);
    assert.deepEqual([await one.followed.look(), one.seen.left], [false, 1]);
    await one.followed.stop();
  });

  it("take one that says nothing any more for gone, whatever its clock says, and for back when it speaks", async () => {
    const [one, two] = [replica("one"), replica("two", Date.UTC(2030, 0, 1))];
    await two.followed.start();
    for (let turn = 0; turn < 3; turn++) await one.followed.turn();
    assert.deepEqual([one.seen.left, one.followed.has("two")], [0, true]);
    await one.followed.turn();
    assert.deepEqual([one.seen.left, one.followed.has("two"), one.followed.others()], [1, false, true]);
    two.clock.advance(1);
    await two.followed.turn();
    await one.followed.turn();
    assert.deepEqual([one.seen.left, one.followed.has("two")], [1, true]);
    for (let turn = 0; turn < 120; turn++) await one.followed.turn();
    assert.deepEqual([one.seen.left, await one.followed.look()], [2, false]);
    await two.followed.stop();
  });
});

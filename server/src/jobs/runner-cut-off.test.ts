import assert from "node:assert/strict";
import { it } from "node:test";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { disturbed } from "#test/disturbed-db";
import { createJobRunner } from "./runner.ts";

const EVERY_MS = 1_000;
const TURNS = 5;

forEachDatabase("a process that loses sight of the database for longer than its lease", (open) => {
  it("runs no job of the organization meanwhile, nor afterwards while another process does (OPS-11)", async () => {
    const db = (await open()).databases.main;
    const byHand = testClock();
    let planned = 0;
    const clock = {
      ...byHand,
      after(delayMs: number, task: () => void) {
        if (delayMs === EVERY_MS) planned++;
        return byHand.after(delayMs, task);
      },
    };
    let isCut = false;
    const cuttable = disturbed(db, {
      beforeQuery() {
        if (isCut) throw new Error("cut off");
      },
    });
    const ran: string[] = [];
    const start = (holder: string, way: typeof db) => {
      const run = async () => void ran.push(holder);
      const job = { name: "job", everyMs: EVERY_MS, oncePerOrganization: true, run };
      const runner = createJobRunner([job], { db: way, clock, logger: createLogger("silent"), holder });
      runner.start();
      return runner;
    };
    /** Over when each of the runners has planned its next turn: the database waits for no clock of ours. */
    const turn = async (runners: number) => {
      const all = planned + runners;
      byHand.advance(EVERY_MS);
      while (planned < all) await new Promise((resolve) => setImmediate(resolve));
    };

    const first = start("first", cuttable);
    await turn(1);
    const second = start("second", db);
    isCut = true;
    for (let turns = 0; turns < TURNS; turns++) await turn(2);
    isCut = false;
    for (let turns = 0; turns < TURNS; turns++) await turn(2);
    // In the first turn of the second runner the first one's lease still holds.
    assert.deepEqual(ran, ["first", ...Array.from({ length: 2 * TURNS - 1 }, () => "second")]);
    await first.stop();
    await second.stop();
  });
});

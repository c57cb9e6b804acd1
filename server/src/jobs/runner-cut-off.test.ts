import assert from "node:assert/strict";
import { it } from "node:test";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { disturbed } from "#test/disturbed-db";
import { createJobRunner } from "./runner.ts";

const EVERY_MS = 1_000;
const TURNS = 5;

forEachDatabase("a process that cannot reach the database for longer than its lease", (open) => {
  it("runs no job of the organization meanwhile, nor afterwards while another process holds the lease (OPS-11)", async () => {
    const db = (await open()).databases.main;
    const manualClock = testClock();
    let planned = 0;
    const clock = {
      ...manualClock,
      after(delayMs: number, task: () => void) {
        if (delayMs === EVERY_MS) planned++;
        return manualClock.after(delayMs, task);
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
    /** Resolves when each runner has scheduled its next run; database queries do not follow the test clock. */
    const turn = async (runners: number) => {
      const all = planned + runners;
      manualClock.advance(EVERY_MS);
      while (planned < all) await new Promise((resolve) => setImmediate(resolve));
    };

    const first = start("first", cuttable);
    await turn(1);
    const second = start("second", db);
    isCut = true;
    for (let turns = 0; turns < TURNS; turns++) await turn(2);
    isCut = false;
    for (let turns = 0; turns < TURNS; turns++) await turn(2);
    // During the second runner's first turn, the lease of the first is still valid.
    assert.deepEqual(ran, ["first", ...Array.from({ length: 2 * TURNS - 1 }, () => "second")]);
    await first.stop();
    await second.stop();
  });
});

import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { createLogger } from "#lib/logger";
import type { MainDb } from "#storage/database";
import { type TestClock, testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { disturbed } from "#test/disturbed-db";
import { createJobRunner, type Job, type JobRunner } from "./runner.ts";

const EVERY_MS = 1_000;

forEachDatabase("the job runner", (open) => {
  let db: MainDb;
  let clock: TestClock;
  let lines: string[];
  let names = 0;
  let started: JobRunner[];

  let renewalsPlanned: number;
  let turnsPlanned: number;

  beforeEach(async () => {
    db ??= (await open()).databases.main;
    const manualClock = testClock();
    renewalsPlanned = 0;
    turnsPlanned = 0;
    clock = {
      ...manualClock,
      after(delayMs, task) {
        if (delayMs === EVERY_MS / 2) renewalsPlanned++;
        if (delayMs === EVERY_MS) turnsPlanned++;
        return manualClock.after(delayMs, task);
      },
    };
    lines = [];
    started = [];
  });
  const runner = (holder: string, job: Omit<Job, "everyMs">, ownDb = db) => {
    const logger = createLogger("warn", { write: (line) => void lines.push(line) });
    const made = createJobRunner([{ everyMs: EVERY_MS, ...job }], { db: ownDb, clock, logger, holder });
    started.push(made);
    made.start();
    return made;
  };
  const newName = () => `job-${++names}`;
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  /** Jobs wait for the database, which does not follow the test clock. */
  const until = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) {
      assert.deepEqual(lines, [], "nothing failed");
      await settled();
    }
  };
  const turn = async () => {
    clock.advance(EVERY_MS);
    for (let i = 0; i < 5; i++) await settled();
  };
  const leaseEnd = async (name: string) => {
    const lease = await db.selectFrom("leases").selectAll().where("name", "=", name).executeTakeFirst();
    return lease?.expires_at ?? 0;
  };
  const stopAll = () => Promise.all(started.map((each) => each.stop()));

  it("runs a job after each period, first after one period", async () => {
    let runs = 0;
    const job = { name: newName(), oncePerOrganization: false, run: async () => void runs++ };
    runner("one", job);
    assert.equal(runs, 0);
    for (let expected = 1; expected <= 3; expected++) {
      await turn();
      assert.equal(runs, expected);
    }
    await stopAll();
  });

  it("runs a job with atStart immediately after the start as well", async () => {
    let runs = 0;
    const job = { name: newName(), oncePerOrganization: false, atStart: true, run: async () => void runs++ };
    runner("one", job);
    for (let expected = 1; expected <= 3; expected++) {
      clock.advance(expected === 1 ? 0 : EVERY_MS);
      for (let i = 0; i < 5; i++) await settled();
      assert.equal(runs, expected);
    }
    await stopAll();
  });

  it("gives a job's lease to one of two runners, and to the other after the first stopped", async () => {
    const ran: string[] = [];
    const name = newName();
    const of = (holder: string) =>
      runner(holder, { name, oncePerOrganization: true, run: async () => void ran.push(holder) });
    of("one");
    of("two");
    for (let turns = 1; turns <= 4; turns++) {
      clock.advance(EVERY_MS);
      // Also waits until both have scheduled their next run. Otherwise the clock could skip it.
      await until(() => ran.length === turns && turnsPlanned === 2 * (turns + 1));
    }
    assert.equal(new Set(ran).size, 1, ran.join());
    const [first] = ran;
    await started[first === "one" ? 0 : 1]?.stop();
    while (ran.length === 4) {
      const planned = turnsPlanned;
      clock.advance(EVERY_MS);
      await until(() => turnsPlanned > planned);
    }
    assert.notEqual(ran.at(-1), first);
    await stopAll();
  });

  it("logs a job that fails and runs it again after its period", async () => {
    let runs = 0;
    const run = async () => {
      runs++;
      throw new Error("failed on purpose");
    };
    const name = newName();
    runner("one", { name, oncePerOrganization: false, run });
    await turn();
    await turn();
    assert.equal(runs, 2);
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? "", new RegExp(`"job":"${name}".*a periodic job failed`));
    await stopAll();
  });

  it("never runs a job concurrently with itself", async () => {
    let runs = 0;
    const ends: (() => void)[] = [];
    runner("one", {
      name: newName(),
      oncePerOrganization: false,
      run: () => {
        runs++;
        return new Promise((resolve) => ends.push(resolve));
      },
    });
    for (let turns = 0; turns < 5; turns++) await turn();
    assert.equal(runs, 1);
    ends.pop()?.();
    await turn();
    await turn();
    assert.equal(runs, 2);
    ends.pop()?.();
    await stopAll();
  });

  it("keeps the lease of a job that takes longer than its period, so that no other process runs it", async () => {
    const ran: string[] = [];
    const ends: (() => void)[] = [];
    const name = newName();
    const of = (holder: string) =>
      runner(holder, {
        name,
        oncePerOrganization: true,
        run: () => {
          ran.push(holder);
          return new Promise((resolve) => ends.push(resolve));
        },
      });
    of("one");
    clock.advance(EVERY_MS);
    await until(() => ran.length === 1);
    of("two");
    for (let halves = 0; halves < 12; halves++) {
      await until(() => renewalsPlanned > halves);
      clock.advance(EVERY_MS / 2);
    }
    assert.deepEqual(ran, ["one"]);
    ends.pop()?.();
    await stopAll();
    assert.equal(await leaseEnd(name), 0, "the lease is released");
  });

  it("runs no job whose lease expired while it was requested", async () => {
    const ran: string[] = [];
    const name = newName();
    const delayed = disturbed(db, { beforeAnswer: () => clock.advance(1.5 * EVERY_MS) });
    const run = async () => void ran.push("ran");
    runner("one", { name, oncePerOrganization: true, run }, delayed);
    clock.advance(EVERY_MS);
    await until(() => turnsPlanned === 2);
    assert.deepEqual(ran, []);
    await stopAll();
  });

  it("starts no job whose lease arrives after the stop", async () => {
    const ran: string[] = [];
    const name = newName();
    const run = async () => void ran.push("ran");
    const made = runner("one", { name, oncePerOrganization: true, run });
    clock.advance(EVERY_MS);
    await made.stop();
    assert.deepEqual(ran, []);
    assert.equal(await leaseEnd(name), 0, "the lease is released");
  });

  it("waits for the running job when stopped, and starts none afterwards", async () => {
    let ended = false;
    let runs = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const made = runner("one", {
      name: newName(),
      oncePerOrganization: false,
      run: async () => {
        runs++;
        await promise;
        ended = true;
      },
    });
    clock.advance(EVERY_MS);
    await until(() => runs === 1);
    const stopping = made.stop();
    resolve();
    await stopping;
    assert.equal(ended, true);
    await turn();
    assert.equal(runs, 1);
  });
});

import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { createLogger } from "#lib/logger";
import type { MainDb } from "#storage/database";
import { type TestClock, testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
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
    const byHand = testClock();
    renewalsPlanned = 0;
    turnsPlanned = 0;
    clock = {
      ...byHand,
      after(delayMs, task) {
        if (delayMs === EVERY_MS / 2) renewalsPlanned++;
        if (delayMs === EVERY_MS) turnsPlanned++;
        return byHand.after(delayMs, task);
      },
    };
    lines = [];
    started = [];
  });
  const runner = (holder: string, job: Omit<Job, "everyMs">) => {
    const logger = createLogger("warn", { write: (line) => void lines.push(line) });
    const made = createJobRunner([{ everyMs: EVERY_MS, ...job }], { db, clock, logger, holder });
    started.push(made);
    made.start();
    return made;
  };
  const newName = () => `job-${++names}`;
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  /** Jobs wait for the database, which no clock of ours moves. */
  const until = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) {
      assert.deepEqual(lines, [], "nothing failed that should come about");
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

  it("runs a job at each of its turns, the first after one period", async () => {
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

  it("runs a job that asks for it right after the start too", async () => {
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

  it("gives a job's lease to one of two runners, and to the other when the first is gone", async () => {
    const ran: string[] = [];
    const name = newName();
    const of = (holder: string) =>
      runner(holder, { name, oncePerOrganization: true, run: async () => void ran.push(holder) });
    of("one");
    of("two");
    for (let turns = 1; turns <= 4; turns++) {
      clock.advance(EVERY_MS);
      // Also their next turns are planned: the clock would otherwise be past them already.
      await until(() => ran.length === turns && turnsPlanned === 2 * (turns + 1));
    }
    assert.equal(new Set(ran).size, 1, ran.join());
    const [first] = ran;
    await started[first === "one" ? 0 : 1]?.stop();
    await until(() => {
      clock.advance(EVERY_MS);
      return ran.length > 4;
    });
    assert.notEqual(ran.at(-1), first);
    await stopAll();
  });

  it("logs a job that fails and runs it again at its next turn", async () => {
    let runs = 0;
    const run = async () => {
      runs++;
      throw new Error("no luck");
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

  it("never runs a job beside itself, however long it takes", async () => {
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

  it("keeps the lease of a job that takes longer than its period, so that no other process runs it too", async () => {
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
    assert.equal(await leaseEnd(name), 0, "given back");
  });

  it("begins no job whose lease comes only after the stop", async () => {
    const ran: string[] = [];
    const name = newName();
    const run = async () => void ran.push("ran");
    const made = runner("one", { name, oncePerOrganization: true, run });
    clock.advance(EVERY_MS);
    await made.stop();
    assert.deepEqual(ran, []);
    assert.equal(await leaseEnd(name), 0, "given back");
  });

  it("waits, when stopped, for the job under way, and begins none after it", async () => {
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

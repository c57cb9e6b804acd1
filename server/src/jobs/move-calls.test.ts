import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import { ended, failingTransactions, nothing, openCallLog, sampleCalls, started, TRACE_ID } from "#test/call-log-setup";
import { forEachDatabase } from "#test/databases";

forEachDatabase("moving the call log", (open) => {
  it("stores each call once, and removes the files when they are moved and the process ends", async () => {
    const { startProcess, logged, spoolFiles } = await openCallLog(open);
    const { spool, mover } = startProcess();
    const moving = mover();
    for (let i = 0; i < 30; i++) {
      spool.begin(started(`req_${i}`), nothing);
      await nextTurn();
      spool.end(ended(`req_${i}`), nothing);
      if (i % 7 === 0) await moving.moveOnce();
    }
    await nextTurn();
    assert.equal(await moving.catchUp(10_000), true);
    assert.deepEqual(await logged(), Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`req_${i} done`, 1])));
    assert.deepEqual((await spoolFiles()).length, 2, "the owner file and the segment being written");
    spool.close();
    await moving.stop();
    assert.deepEqual(await spoolFiles(), []);
  });

  it("keeps a segment and all later ones while a call that began in it is open", async () => {
    const { startProcess, spoolFiles } = await openCallLog(open);
    const { spool, mover } = startProcess({ segmentBytes: 100 });
    const moving = mover();
    spool.begin(started("req_long"), nothing);
    for (let i = 0; i < 5; i++) {
      await nextTurn();
      spool.end(ended(`req_${i}`), nothing);
    }
    await nextTurn();
    await moving.catchUp(10_000);
    const before = (await spoolFiles()).length;
    assert.ok(before > 3, `${before} files`);
    spool.end(ended("req_long"), nothing);
    await nextTurn();
    await moving.catchUp(10_000);
    await moving.moveOnce();
    assert.ok((await spoolFiles()).length <= 2);
    spool.close();
    await moving.stop();
  });

  it("logs the open calls of a killed process as interrupted, with their caller", async () => {
    const { startProcess, logged, db } = await openCallLog(open);
    const first = startProcess();
    const expected = await sampleCalls(first.spool, "req");
    await first.mover().moveOnce();
    first.kill();
    const second = startProcess();
    const moving = second.mover();
    await moving.recover();
    assert.deepEqual(await logged(), expected);
    assert.equal(await moving.recover(), 0);
    const row = await db.selectFrom("calls").selectAll().where("request_id", "=", "req_open").executeTakeFirstOrThrow();
    const names = await db.selectFrom("log_names").selectAll().execute();
    assert.equal(names.find(({ id }) => id === row.user_email)?.value, "ann@example.com");
    assert.equal(row.trace_id, TRACE_ID);
    second.spool.close();
    await moving.stop();
  });

  it("leaves the spool of a process that still runs on the same directory untouched", async () => {
    const { startProcess, logged } = await openCallLog(open);
    const [first, second] = [startProcess(), startProcess()];
    const expected = await sampleCalls(first.spool, "req");
    assert.equal(await second.mover().recover(), 0);
    assert.deepEqual(await logged(), {});
    const moving = first.mover();
    await moving.catchUp(10_000);
    first.kill();
    await second.mover().recover();
    assert.deepEqual(await logged(), expected);
    second.kill();
  });

  it("logs more interrupted calls than one batch holds once each, even if the response to a commit is lost", async () => {
    const { startProcess, logged, db } = await openCallLog(open);
    const [dead, next] = [startProcess(), startProcess()];
    const expected: Record<string, number> = {};
    for (let i = 0; i < 2_400; i++) {
      dead.spool.begin(started(`req_${i}`), nothing);
      expected[`req_${i} interrupted`] = 1;
    }
    dead.kill();
    let commits = 0;
    const losing = failingTransactions(db, async (work) => {
      const result = await work();
      if (++commits === 2) throw new Error("connection lost");
      return result;
    });
    await assert.rejects(next.mover({ db: losing }).recover(), /connection lost/);
    assert.equal(await next.mover().recover(), 400);
    assert.deepEqual(await logged(), expected);
    next.kill();
  });

  it("logs each call once when two processes recover the same spool concurrently", async () => {
    const { startProcess, logged } = await openCallLog(open);
    const expected: Record<string, number> = {};
    const rivals = [startProcess(), startProcess(), startProcess()];
    for (let round = 0; round < 5; round++) {
      const process = startProcess({ segmentBytes: 400 });
      Object.assign(expected, await sampleCalls(process.spool, `req_${round}`));
      process.kill();
      await Promise.all(rivals.map(({ mover }) => mover().recover()));
      await rivals[0]?.mover().recover();
      assert.deepEqual(await logged(), expected);
    }
    for (const rival of rivals) rival.kill();
  });

  it("keeps records in the spool while the database is unavailable, and does not repeat a commit whose response was lost", async () => {
    const { startProcess, logged, db } = await openCallLog(open);
    const { spool, mover, kill } = startProcess();
    let answers: ("away" | "lost")[] = ["away", "lost", "away", "lost"];
    const moving = mover({
      db: failingTransactions(db, async (work) => {
        const answer = answers.shift();
        if (answer === "away") throw new Error("connection refused");
        const result = await work();
        if (answer === "lost") throw new Error("connection lost");
        return result;
      }),
    });
    const expected: Record<string, number> = {};
    for (let i = 0; i < 8; i++) {
      spool.end(ended(`req_${i}`), nothing);
      expected[`req_${i} done`] = 1;
      await nextTurn();
      await moving.moveOnce().catch(nothing);
    }
    assert.equal(await moving.catchUp(10_000), true);
    answers = [];
    assert.deepEqual(await logged(), expected);
    kill();
    await moving.stop();
  });

  it("recovers first, then moves records automatically, and continues after a database outage", async () => {
    const { startProcess, logged, db } = await openCallLog(open);
    const dead = startProcess();
    dead.spool.begin(started("req_dead"), nothing);
    dead.kill();
    const { spool, mover } = startProcess();
    let failures = 2;
    const moving = mover({
      db: failingTransactions(db, async (work) => {
        if (failures-- > 0) throw new Error("connection refused");
        return work();
      }),
    });
    moving.start();
    spool.end(ended("req_1"), nothing);
    for (let look = 0; look < 500 && Object.keys(await logged()).length < 2; look++) await setTimeout(20);
    assert.deepEqual(await logged(), { "req_dead interrupted": 1, "req_1 done": 1 });
    spool.close();
    await moving.stop();
  });
});

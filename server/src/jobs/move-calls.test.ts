import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import type { ProcessTable } from "#gateway/call-log/owner";
import type { EndedCall, StartedCall } from "#gateway/call-log/record";
import { createSpool, type Spool } from "#gateway/call-log/spool";
import { createSpoolFiles } from "#gateway/call-log/spool-files";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import type { CallsDb } from "#storage/database";
import { forEachDatabase, type OpenTestDatabase } from "#test/databases";
import { createCallMover } from "./move-calls.ts";
import type { SpoolFiles } from "./spool-tail.ts";

const logger = createLogger("silent");
const newId = createIds(systemClock, systemRandom);
const nothing = () => {};

function started(requestId: string): StartedCall {
  return {
    requestId,
    at: 1_700_000_000_000,
    method: "tools/call",
    userId: "usr_1",
    userEmail: "ann@example.com",
    serverSlug: "github",
    tool: "create_issue",
    requestBytes: 120,
  };
}
function ended(requestId: string): EndedCall {
  return { ...started(requestId), outcome: "ok", durationUs: 1500, responseBytes: 80, error: undefined };
}

/** Any number of processes on one data directory and one database, killed as the test likes. */
async function openWorld(open: OpenTestDatabase) {
  const { databases, dataDir } = await open();
  const directory = join(dataDir, "spool");
  const running = new Set<number>();
  let lastPid = 0;

  function startProcess({ segmentBytes = 1500 } = {}) {
    const pid = ++lastPid;
    running.add(pid);
    const processes: ProcessTable = {
      self: () => ({ host: "here", pid, startedAt: "" }),
      isRunning: (identity) => running.has(identity.pid),
    };
    const spool = createSpool({ directory, clock: systemClock, newId, logger, segmentBytes, processes });
    const files: SpoolFiles = createSpoolFiles({ directory, clock: systemClock, own: spool, processes });
    const mover = (wrapped: { files?: SpoolFiles; db?: CallsDb } = {}) =>
      createCallMover({ files, db: databases.calls, clock: systemClock, logger, ...wrapped });
    return {
      spool,
      files,
      mover,
      /** All of its last turn is in the file; nothing else happens any more. */
      kill() {
        spool.close();
        running.delete(pid);
      },
    };
  }

  /** How often each call is in the log, with its outcome: `req_1 ok` → 1. */
  async function logged(): Promise<Record<string, number>> {
    const rows = await databases.calls.selectFrom("calls").select(["request_id", "outcome"]).execute();
    const counts: Record<string, number> = {};
    for (const { request_id, outcome } of rows) {
      const key = `${request_id} ${outcome === 7 ? "interrupted" : "done"}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  }

  return { db: databases.calls, directory, startProcess, logged, spoolFiles: () => readdir(directory) };
}

/** Six finished calls, two open ones, over several segments: an early one stays open, a late one ends much later. */
async function sampleCalls(spool: Spool, prefix: string): Promise<Record<string, number>> {
  const begin = (name: string) => spool.begin(started(`${prefix}_${name}`), nothing);
  const end = (name: string) => spool.end(ended(`${prefix}_${name}`), nothing);
  begin("late");
  begin("open");
  await nextTurn();
  for (const name of ["1", "2", "3", "4"]) {
    begin(name);
    await nextTurn();
    end(name);
    await nextTurn();
  }
  end("denied");
  end("late");
  begin("open_too");
  await nextTurn();
  const finished = ["1", "2", "3", "4", "denied", "late"].map((name) => [`${prefix}_${name} done`, 1] as const);
  const open = ["open", "open_too"].map((name) => [`${prefix}_${name} interrupted`, 1] as const);
  return Object.fromEntries([...finished, ...open]);
}

function failingTransactions(db: CallsDb, around: <Result>(work: () => Promise<Result>) => Promise<Result>): CallsDb {
  return new Proxy(db, {
    get(target, property) {
      if (property === "transaction") {
        const execute: ReturnType<CallsDb["transaction"]>["execute"] = (work) =>
          around(() => target.transaction().execute(work));
        return () => ({ execute });
      }
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

forEachDatabase("moving the call log", (open) => {
  it("each call is in the log once, and its files go when it is moved and its process ends", async () => {
    const { startProcess, logged, spoolFiles } = await openWorld(open);
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
    assert.deepEqual((await spoolFiles()).length, 2, "its owner's file and the segment that it writes");
    spool.close();
    await moving.stop();
    assert.deepEqual(await spoolFiles(), []);
  });

  it("a segment stays while a call that began in it is open, and so do all after it", async () => {
    const { startProcess, spoolFiles } = await openWorld(open);
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

  it("the open calls of a killed process are logged as interrupted, with their caller", async () => {
    const { startProcess, logged, db } = await openWorld(open);
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
    second.spool.close();
    await moving.stop();
  });

  it("a process that still runs on the same directory is left alone, and loses nothing", async () => {
    const { startProcess, logged } = await openWorld(open);
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

  it("more interrupted calls than one batch holds are logged once each, though the answer to a commit got lost", async () => {
    const { startProcess, logged, db } = await openWorld(open);
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

  it("two processes that recover the same spool at once log each call once", async () => {
    const { startProcess, logged } = await openWorld(open);
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

  it("with the database away records wait in the spool, and a commit whose answer got lost is not repeated", async () => {
    const { startProcess, logged, db } = await openWorld(open);
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

  it("the loop moves records by itself, recovers before that, and goes on after the database was away", async () => {
    const { startProcess, logged, db } = await openWorld(open);
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

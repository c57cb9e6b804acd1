import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { createSpoolFiles } from "#gateway/call-log/spool-files";
import { systemClock } from "#lib/clock";
import type { CallsDb } from "#storage/database";
import { ended, failingTransactions, nothing, openCallLog, sampleCalls, started } from "#test/call-log-setup";
import { forEachDatabase } from "#test/databases";
import type { SpoolFiles } from "./spool-tail.ts";

class Killed extends Error {}

/**
 * A process that dies at its n-th step: before the step if `n` is even, otherwise after it took effect but before the
 * response.
 */
function dyingAt(n: number, files: SpoolFiles, db: CallsDb) {
  let step = 0;
  async function survive<Result>(work: () => Promise<Result>): Promise<Result> {
    if (step > n) throw new Killed();
    if (step++ === n) throw new Killed();
    const result = await work();
    if (step++ === n) throw new Killed();
    return result;
  }
  const dyingFiles: SpoolFiles = {
    ...files,
    abandoned: () => survive(() => files.abandoned()),
    segments: (spoolId) => survive(() => files.segments(spoolId)),
    read: (...args) => survive(() => files.read(...args)),
    remove: (...args) => survive(() => files.remove(...args)),
    removeOwner: (spoolId) => survive(() => files.removeOwner(spoolId)),
  };
  return { files: dyingFiles, db: failingTransactions(db, survive), survived: () => step <= n };
}

forEachDatabase("a killed mover of the call log", (open) => {
  it("stores each record once when killed at any step of moving its own records", async () => {
    const { startProcess, logged, db, spoolFiles } = await openCallLog(open);
    let survived = false;
    const expected: Record<string, number> = {};
    for (let step = 0; !survived && step < 500; step++) {
      const process = startProcess({ segmentBytes: 400 });
      const dying = dyingAt(step, process.files, db);
      const moving = process.mover(dying);
      try {
        for (const part of ["a", "b"]) {
          Object.assign(expected, await sampleCalls(process.spool, `req_${step}${part}`));
          for (let batch = 0; batch < 20; batch++) await moving.moveOnce();
        }
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
      survived = dying.survived();
      process.kill();
      const next = startProcess();
      await next.mover().recover();
      next.kill();
      assert.deepEqual(await logged(), expected, `killed at step ${step}`);
    }
    const last = startProcess();
    await last.mover().recover();
    assert.equal((await spoolFiles()).length, 1);
    last.kill();
  });

  it("completes an interrupted recovery without logging anything twice, killed at any step", async () => {
    const { startProcess, logged, db, spoolFiles } = await openCallLog(open);
    const recoverer = startProcess();
    let survived = false;
    const expected: Record<string, number> = {};
    for (let step = 0; !survived && step < 500; step++) {
      const process = startProcess({ segmentBytes: 400 });
      Object.assign(expected, await sampleCalls(process.spool, `req_${step}`));
      process.kill();
      const dying = dyingAt(step, recoverer.files, db);
      try {
        await recoverer.mover(dying).recover();
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
      survived = dying.survived();
      await recoverer.mover().recover();
      assert.deepEqual(await logged(), expected, `killed at step ${step}`);
      assert.equal((await spoolFiles()).length, 1);
    }
    recoverer.kill();
  });

  it("logs unanswered calls as interrupted when a kill in the middle of a write leaves a partial line", async () => {
    const { startProcess, logged, directory } = await openCallLog(open);
    const expected: Record<string, number> = {};
    for (const missing of [1, 2, 30, 100]) {
      const process = startProcess();
      process.spool.begin(started(`req_${missing}`), nothing);
      await nextTurn();
      process.spool.end(ended(`req_${missing}`), nothing);
      process.kill();
      const [segment] = readdirSync(directory).filter(
        (name) => name.endsWith("1.spool") && name.includes(process.spool.id),
      );
      const path = join(directory, segment ?? "");
      truncateSync(path, statSync(path).size - missing);
      const next = startProcess();
      await next.mover().recover();
      next.kill();
      expected[`req_${missing} interrupted`] = 1;
    }
    assert.deepEqual(await logged(), expected);
  });

  it("stores 10,000 calls once each that begin and end in any order, over many segments and three kills", async () => {
    const callLog = await openCallLog(open);
    const lives = 3;
    const moves = fc.array(fc.nat({ max: 99 }), { minLength: 500, maxLength: 500 });
    const property = fc.asyncProperty(
      moves,
      fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
      async (lags, moved) => {
        const expected: Record<string, number> = {};
        const calls = Math.ceil(10_000 / lives);
        for (let life = 0; life < lives; life++) {
          const process = callLog.startProcess({ segmentBytes: 64 * 1024 });
          const moving = process.mover();
          await moving.recover();
          const endings = new Map<number, string[]>();
          for (let i = 0; i < calls; i++) {
            const id = `req_${life}_${i}`;
            const lag = lags[i % lags.length] ?? 0;
            expected[`${id} ${i + lag < calls ? "done" : "interrupted"}`] = 1;
            process.spool.begin(started(id), nothing);
            endings.set(i + lag, [...(endings.get(i + lag) ?? []), id]);
            for (const ending of endings.get(i) ?? []) process.spool.end(ended(ending), nothing);
            if (i % 13 === 0) await nextTurn();
            if (i % 150 === 0 && moved[(i / 150) % moved.length]) await moving.moveOnce();
          }
          process.kill();
        }
        const last = callLog.startProcess();
        await last.mover().recover();
        last.kill();
        const log = await callLog.logged();
        const wrong = Object.keys({ ...log, ...expected }).filter((key) => log[key] !== expected[key]);
        assert.deepEqual(wrong.slice(0, 10), []);
      },
    );
    await fc.assert(property, { numRuns: 1, endOnFailure: true });
  });

  it("stores every answered call, and every forwarded one at least as interrupted, after kill -9 under load", async () => {
    const { startProcess, logged, directory } = await openCallLog(open);
    const seen: { forwarded: string[]; answered: string[] } = { forwarded: [], answered: [] };
    for (let round = 0; round < 3; round++) {
      const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", LOADED_PROCESS, directory], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.length > 20_000 * (round + 1)) child.kill("SIGKILL");
      });
      await once(child, "close");
      // The last line can be incomplete.
      for (const line of output.slice(0, output.lastIndexOf("\n")).split("\n")) {
        const [kind, requestId] = line.split(" ");
        (kind === "forwarded" ? seen.forwarded : seen.answered).push(requestId ?? "");
      }
    }
    // Uses the real process table, so that it detects the dead child processes.
    const own = startProcess();
    const files = createSpoolFiles({ directory, clock: systemClock, own: own.spool });
    await own.mover({ files }).recover();
    const log = await logged();
    assert.ok(seen.answered.length > 100);
    for (const requestId of seen.answered) assert.equal(log[`${requestId} done`], 1, requestId);
    for (const requestId of seen.forwarded) {
      assert.equal((log[`${requestId} done`] ?? 0) + (log[`${requestId} interrupted`] ?? 0), 1, requestId);
    }
    assert.ok(Object.values(log).every((count) => count === 1));
    own.kill();
  });
});

/** Forwards and answers calls as fast as it can, and reports each one immediately. */
const LOADED_PROCESS = `
  import { writeSync } from "node:fs";
  import { createSpool } from "#gateway/call-log/spool";
  import { systemClock } from "#lib/clock";
  import { createIds } from "#lib/ids";
  import { createLogger } from "#lib/logger";
  import { systemRandom } from "#lib/random";
  const newId = createIds(systemClock, systemRandom);
  const spool = createSpool({
    directory: process.argv[1], clock: systemClock, newId, logger: createLogger("silent"), segmentBytes: 10_000,
  });
  function call() {
    const begun = {
      requestId: newId("req"), at: Date.now(), method: "tools/call", userId: "usr_1", userEmail: "ann@example.com",
      serverSlug: "github", tool: "create_issue", requestBytes: 120,
    };
    spool.begin(begun, () => {
      writeSync(1, "forwarded " + begun.requestId + "\\n");
      setImmediate(() => {
        const ended = { ...begun, outcome: "ok", durationUs: 1, responseBytes: 1, error: undefined };
        spool.end(ended, () => {
          writeSync(1, "answered " + begun.requestId + "\\n");
          call();
        });
      });
    });
  }
  for (let i = 0; i < 20; i++) call();
`;

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MainDb } from "#storage/database";
import { testClock } from "#test/clock";
import { inWriteQueue } from "./write-queue.ts";

/** The queue uses the database only as a key. */
function anyDatabase(): MainDb {
  return {} as MainDb;
}

function postgresAway(): Error {
  return Object.assign(new Error("terminating connection"), { code: "57P01" });
}

describe("the write queue", () => {
  it("runs six writes concurrently, and the others in the order of arrival", async () => {
    const db = anyDatabase();
    const clock = testClock();
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const writes = Array.from({ length: 9 }, (_, n) =>
      inWriteQueue(db, clock, () => {
        started.push(n);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    assert.deepEqual(started, [0, 1, 2, 3, 4, 5]);
    for (let n = 0; n < writes.length; n++) {
      ends[n]?.();
      await writes[n];
      await Promise.resolve();
    }
    assert.deepEqual(started, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("continues after a write that fails", async () => {
    const db = anyDatabase();
    const clock = testClock();
    const writes = Array.from({ length: 20 }, (_, n) =>
      inWriteQueue(db, clock, async () => {
        if (n % 2 === 0) throw new Error("refused");
        return n;
      }),
    );
    const outcomes = await Promise.allSettled(writes);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 10);
  });

  it("fails writes that have waited too long while the database is unavailable, and tries newer ones", async () => {
    const db = anyDatabase();
    const clock = testClock();
    const away = Promise.withResolvers<void>();
    const running = Array.from({ length: 6 }, () => inWriteQueue(db, clock, () => away.promise));
    let attempts = 0;
    const attempt = async () => void attempts++;
    const early = inWriteQueue(db, clock, attempt);
    clock.advance(5_001);
    const late = inWriteQueue(db, clock, attempt);
    away.reject(postgresAway());
    await Promise.allSettled(running);
    await assert.rejects(early, /terminating connection/);
    await late;
    assert.equal(attempts, 1);
  });
});

import assert from "node:assert/strict";
import { writeSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { readSpool } from "./read-spool.ts";
import type { EndedCall, StartedCall } from "./record.ts";
import { createSpool, type SpoolOptions } from "./spool.ts";

const started: StartedCall = {
  requestId: "req_1",
  at: 1_700_000_000_000,
  method: "tools/call",
  userId: "usr_1",
  userEmail: "ann@example.com",
  serverSlug: "github",
  tool: "create_issue",
  requestBytes: 120,
};
const ended: EndedCall = {
  ...started,
  outcome: "ok",
  durationUs: 1500,
  responseBytes: 80,
  error: undefined,
  forwardedUs: 300,
};
const startedCall = (requestId: string): StartedCall => ({ ...started, requestId });
const endedCall = (requestId: string): EndedCall => ({ ...ended, requestId });
const noop = () => {};

/** Timers fire only when the test calls `tick`. */
function manualClock(): Clock & { tick(passedMs?: number): void } {
  let tasks: (() => void)[] = [];
  let monotonic = 0;
  return {
    now: () => started.at,
    monotonic: () => monotonic,
    after(_delayMs, task) {
      tasks.push(task);
      return { cancel: () => (tasks = tasks.filter((other) => other !== task)) };
    },
    tick(passedMs = 0) {
      monotonic += passedMs;
      const due = tasks;
      tasks = [];
      for (const task of due) task();
    },
  };
}

describe("spool", () => {
  let directory: string;
  let clock: ReturnType<typeof manualClock>;
  let open: ReturnType<typeof createSpool>[] = [];

  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), "gatehouse-spool-")), "spool");
    clock = manualClock();
  });
  afterEach(async () => {
    for (const spool of open) spool.close();
    open = [];
    await rm(join(directory, ".."), { recursive: true });
  });

  function start(options: Partial<SpoolOptions> = {}) {
    const newId = createIds(clock, systemRandom);
    const spool = createSpool({ directory, clock, newId, logger: createLogger("silent"), ...options });
    open.push(spool);
    return spool;
  }

  async function marks() {
    const files = (await readdir(directory)).filter((name) => name.endsWith(".spool")).sort();
    const contents = await Promise.all(files.map((name) => readFile(join(directory, name))));
    return contents.flatMap((bytes) => readSpool(bytes, 0, Number.POSITIVE_INFINITY).marks);
  }
  const marked = async () => (await marks()).map(({ mark }) => `${mark.kind} ${mark.requestId}`);

  it("writes the marks of one event-loop turn in a single write, in order", async () => {
    let writes = 0;
    const spool = start({
      write: (file, bytes, offset, length) => {
        writes++;
        return writeSync(file, bytes, offset, length);
      },
    });
    for (let i = 0; i < 50; i++) spool.begin(startedCall(`req_${i}`), noop);
    for (let i = 0; i < 50; i++) spool.end(endedCall(`req_${i}`), noop);
    await nextTurn();
    assert.equal(writes, 1);
    const order = Array.from({ length: 50 }, (_, i) => i);
    assert.deepEqual(await marked(), [...order.map((i) => `begin req_${i}`), ...order.map((i) => `end req_${i}`)]);
    spool.end(endedCall("req_next"), noop);
    await nextTurn();
    assert.equal(writes, 2);
  });

  it("forwards and answers only after the marks are written, in order", async () => {
    const seen: string[] = [];
    const spool = start({
      write: (file, bytes, offset, length) => {
        seen.push("written");
        return writeSync(file, bytes, offset, length);
      },
    });
    spool.begin(startedCall("req_1"), () => seen.push("forwarded 1"));
    spool.end(endedCall("req_2"), () => seen.push("answered 2"));
    assert.deepEqual(seen, []);
    await nextTurn();
    assert.deepEqual(seen, ["written", "forwarded 1", "answered 2"]);
  });

  it("preserves every field of a call, whatever characters it contains", async () => {
    const odd: EndedCall = {
      ...ended,
      userEmail: 'zoë+"quoted"@example.com',
      serverSlug: undefined,
      tool: "line\nbreak \u0000 \u2028 😀 #12 \\",
      outcome: "upstream_failed",
      error: "The upstream did not answer",
    };
    const viaClient = { via: "oauth", client: 'https://client.example/"id"' } as const;
    const spool = start();
    spool.begin(startedCall("req_1"), noop);
    spool.end(odd, noop);
    spool.begin({ ...startedCall("req_2"), ...viaClient }, noop);
    spool.end({ ...odd, ...viaClient }, noop);
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    spool.begin({ ...startedCall("req_3"), traceId }, noop);
    spool.begin({ ...startedCall("req_4"), ...viaClient, traceId }, noop);
    spool.end({ ...odd, traceId }, noop);
    await nextTurn();
    const read = (await marks()).map(({ mark }) => ({ kind: mark.kind, call: mark.call }));
    assert.deepEqual(read, [
      { kind: "begin", call: startedCall("req_1") },
      { kind: "end", call: odd },
      { kind: "begin", call: { ...startedCall("req_2"), ...viaClient } },
      { kind: "end", call: { ...odd, ...viaClient } },
      { kind: "begin", call: { ...startedCall("req_3"), traceId } },
      { kind: "begin", call: { ...startedCall("req_4"), ...viaClient, traceId } },
      { kind: "end", call: { ...odd, traceId } },
    ]);
  });

  it("continues with other calls when a release callback throws", async () => {
    const seen: string[] = [];
    const spool = start();
    spool.end(endedCall("req_1"), () => {
      throw new Error("socket gone");
    });
    spool.end(endedCall("req_2"), () => seen.push("answered 2"));
    await nextTurn();
    assert.deepEqual(seen, ["answered 2"]);
  });

  it("defers a call that starts and ends inside a release callback to the next turn", async () => {
    const seen: string[] = [];
    const spool = start();
    spool.begin(startedCall("req_1"), () => spool.end(endedCall("req_1"), () => seen.push("answered")));
    await nextTurn();
    await nextTurn();
    assert.deepEqual(seen, ["answered"]);
    assert.deepEqual(await marked(), ["begin req_1", "end req_1"]);
  });

  it("completes a partial write", async () => {
    const spool = start({
      write: (file, bytes, offset, length) => writeSync(file, bytes, offset, Math.min(length, 7)),
    });
    spool.begin(startedCall("req_1"), noop);
    spool.end(endedCall("req_1"), noop);
    await nextTurn();
    assert.deepEqual(await marked(), ["begin req_1", "end req_1"]);
  });

  it("forwards and answers nothing while the disk is full, then writes each mark once and in order", async () => {
    let room = 40;
    const seen: string[] = [];
    const spool = start({
      write: (file, bytes, offset, length) => {
        if (room === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
        const count = writeSync(file, bytes, offset, Math.min(length, room));
        room -= count;
        return count;
      },
    });
    spool.begin(startedCall("req_1"), () => seen.push("forwarded 1"));
    await nextTurn();
    spool.end(endedCall("req_2"), () => seen.push("answered 2"));
    await nextTurn();
    clock.tick();
    assert.deepEqual(seen, []);
    assert.equal(spool.healthy(), false);
    room = Number.POSITIVE_INFINITY;
    clock.tick();
    assert.deepEqual(seen, ["forwarded 1", "answered 2"]);
    assert.equal(spool.healthy(), true);
    assert.deepEqual(await marked(), ["begin req_1", "end req_2"]);
  });

  it("rejects calls that wait longer than 10 s, and still writes their marks when the disk has space", async () => {
    let isFull = true;
    const seen: string[] = [];
    const spool = start({
      write: (file, bytes, offset, length) => {
        if (isFull) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
        return writeSync(file, bytes, offset, length);
      },
    });
    const log = (name: string) => (failure?: Error) => seen.push(`${name} ${failure?.message ?? "done"}`);
    spool.begin(startedCall("req_1"), log("forward 1"));
    await nextTurn();
    clock.tick(6_000);
    spool.begin(startedCall("req_2"), log("forward 2"));
    spool.end(endedCall("req_3"), log("answer 3"));
    clock.tick(5_000);
    assert.deepEqual(seen, ["forward 1 The call log cannot be written"]);
    // The disk has rejected writes for more than 10 s.
    assert.throws(() => spool.begin(startedCall("req_4"), noop), { kind: "unavailable" });
    spool.end(endedCall("req_1"), noop);
    isFull = false;
    clock.tick(4_000);
    assert.deepEqual(seen.slice(1), ["forward 2 done", "answer 3 done"]);
    assert.equal(spool.rejectedCalls, 2);
    assert.deepEqual(await marked(), ["begin req_1", "begin req_2", "end req_3", "end req_1"]);
    spool.begin(startedCall("req_5"), log("forward 5"));
    await nextTurn();
    assert.equal(seen.at(-1), "forward 5 done");
  });

  it("starts on a full disk, and is healthy once it can write", async () => {
    const file = join(directory, "..", "spool");
    await writeFile(file, "in the way");
    const spool = start();
    assert.equal(spool.healthy(), false);
    await rm(file);
    clock.tick(1_000);
    assert.equal(spool.healthy(), true);
    spool.end(endedCall("req_1"), noop);
    await nextTurn();
    assert.deepEqual(await marked(), ["end req_1"]);
  });

  it("rejects new calls when the backlog is full, but accepts the end marks of calls in progress", async () => {
    const spool = start({
      backlogBytes: 1000,
      write: () => {
        throw new Error("no space left on device");
      },
    });
    spool.begin(startedCall("req_1"), noop);
    await nextTurn();
    const flood = () => {
      for (let i = 0; i < 100; i++) spool.begin(startedCall(`req_${i}`), noop);
    };
    assert.throws(flood, { name: "Refusal", kind: "unavailable" });
    spool.end(endedCall("req_1"), noop);
  });

  it("starts a new segment when one is full, and seals the old one", async () => {
    const spool = start({ segmentBytes: 400 });
    for (let i = 0; i < 6; i++) {
      spool.end(endedCall(`req_${i}`), noop);
      await nextTurn();
    }
    const segments = (await readdir(directory)).filter((name) => name.endsWith(".spool")).sort();
    assert.deepEqual(segments, [`${spool.id}-000001.spool`, `${spool.id}-000002.spool`]);
    assert.equal((await marks()).length, 6);
    assert.equal(spool.isSealed(1), true);
    assert.equal(spool.isSealed(2), false);
    spool.close();
    assert.equal(spool.isSealed(2), true);
  });

  it("writes the remaining marks when closed, and accepts none afterwards", async () => {
    const seen: string[] = [];
    const spool = start();
    spool.begin(startedCall("req_1"), () => spool.end(endedCall("req_1"), () => seen.push("answered")));
    spool.close();
    assert.deepEqual(seen, ["answered"]);
    assert.deepEqual(await marked(), ["begin req_1", "end req_1"]);
    assert.throws(() => spool.end(endedCall("req_2"), noop), { kind: "unavailable" });
  });

  it("writes separate files for two spools in one directory, readable only by their owner", async () => {
    for (const spool of [start(), start()]) spool.end(endedCall("req_1"), noop);
    await nextTurn();
    const files = await readdir(directory);
    assert.equal(files.length, 4);
    for (const file of files) assert.equal((await stat(join(directory, file))).mode & 0o777, 0o600);
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
  });
});

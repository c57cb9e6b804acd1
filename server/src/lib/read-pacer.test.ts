import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testClock } from "#test/clock";
import { PacedReader, type ReadLane, ReadPacer } from "./read-pacer.ts";

const KB = 1024;

describe("a pacer of reads (GW-12)", () => {
  /** Processing takes `msPerKb`; `read` collects what was passed on. */
  function setUp() {
    const clock = testClock();
    const pacer = new ReadPacer(clock);
    const source = (lane: ReadLane, msPerKb: number) => {
      const noted = { read: 0, bytes: [] as Buffer[], waiting: [] as boolean[] };
      const reader = new PacedReader(lane, {
        read(piece) {
          clock.advance((piece.length / KB) * msPerKb);
          noted.read += piece.length;
          noted.bytes.push(Buffer.from(piece));
        },
        onWaiting: (isWaiting) => void noted.waiting.push(isWaiting),
      });
      return { noted, reader, push: (chunk: Buffer) => reader.push(chunk, clock.monotonic()) };
    };
    return { clock, pacer, source };
  }
  const chunk = (kb: number) => Buffer.alloc(kb * KB, "x");

  it("passes data on immediately while its lane takes little time", () => {
    const { pacer, source } = setUp();
    const { push, noted } = source(pacer.lane(), 0.01);
    for (let n = 0; n < 10; n++) push(chunk(64));
    assert.equal(noted.read, 640 * KB);
    assert.deepEqual(noted.waiting, []);
  });

  it("gives a lane that takes much time only short turns while others are active", () => {
    const { clock, pacer, source } = setUp();
    const quiet = source(pacer.lane(), 0);
    const noisy = source(pacer.lane(), 0.25);
    noisy.push(chunk(64));
    quiet.push(chunk(1));
    noisy.push(chunk(64));
    assert.deepEqual([noisy.noted.read, noisy.noted.waiting], [64 * KB, [true]]);
    const before = noisy.noted.read;
    for (let n = 0; n < 10; n++) {
      quiet.reader.restart(clock.monotonic());
      quiet.push(chunk(1));
      clock.advance(10);
    }
    // 10 turns of 0.3 ms at 0.25 ms per KB, each with at most one piece too much.
    const kb = (noisy.noted.read - before) / KB;
    assert.ok(kb >= 10 && kb <= 30, `${kb} KB`);
    assert.equal(quiet.noted.read, 11 * KB);
  });

  it("counts what collecting the buffers of received data takes", () => {
    const { clock, pacer, source } = setUp();
    const isHeavyAfterSeconds = (mibPerSecond: number) => {
      const lane = pacer.lane();
      const { push } = source(lane, 0);
      for (let n = 0; n < 300 && !lane.isHeavy(clock.monotonic()); n++) {
        push(chunk((mibPerSecond * KB) / 100));
        clock.advance(10);
      }
      return lane.isHeavy(clock.monotonic());
    };
    assert.deepEqual([10, 20].map(isHeavyAfterSeconds), [false, true]);
  });

  it("lets administration wait between turns only while requests are active", async () => {
    const { clock, pacer, source } = setUp();
    clock.advance(1000);
    await pacer.nextTurn();
    source(pacer.lane(), 0).push(chunk(1));
    let hasTurn = false;
    const turn = pacer.nextTurn().then(() => (hasTurn = true));
    await new Promise(setImmediate);
    assert.equal(hasTurn, false);
    clock.advance(4);
    await turn;
  });

  it("gives administration one turn at a time, and fewer of them to several requests", async () => {
    const { pacer, source, clock } = setUp();
    source(pacer.lane(), 0).push(chunk(1));
    let turns = 0;
    const all = Promise.all([1, 2, 3].map(() => pacer.nextTurn().then(() => turns++)));
    for (const expected of [1, 1, 2, 2, 3]) {
      clock.advance(4);
      await new Promise(setImmediate);
      assert.equal(turns, expected);
    }
    await all;
  });

  it("does not pause while nothing else is active", async () => {
    const { pacer, source, clock } = setUp();
    const { push, noted } = source(pacer.lane(), 0.25);
    clock.advance(1000);
    push(chunk(64));
    push(chunk(64));
    let turns = 0;
    while (noted.read < 128 * KB) {
      await new Promise(setImmediate);
      turns++;
    }
    assert.ok(turns >= 4, `16 ms of work in ${turns} turns`);
    assert.deepEqual(noted.waiting, [true, false]);
  });

  it("alternates between lanes, whatever the number of their sources", async () => {
    const { clock, pacer, source } = setUp();
    const [one, other] = [pacer.lane(), pacer.lane()];
    const many = Array.from({ length: 9 }, () => source(one, 0.1));
    const single = source(other, 0.1);
    for (const { push } of [...many, single]) for (let n = 0; n < 3; n++) push(chunk(64));
    const quiet = source(pacer.lane(), 0);
    const start = { many: sum(many), single: single.noted.read };
    for (let n = 0; n < 5; n++) {
      quiet.reader.restart(clock.monotonic());
      quiet.push(chunk(1));
      clock.advance(10);
      await new Promise(setImmediate);
    }
    const [gotMany, gotSingle] = [sum(many) - start.many, single.noted.read - start.single];
    assert.ok(gotSingle > 0 && gotMany < 3 * gotSingle, `${gotMany} and ${gotSingle}`);
  });
  const sum = (sources: readonly { noted: { read: number } }[]) =>
    sources.reduce((all, each) => all + each.noted.read, 0);

  it("keeps the order of the bytes, and stops while its source is paused", async () => {
    const { clock, pacer, source } = setUp();
    const quiet = source(pacer.lane(), 0);
    const { push, noted, reader } = source(pacer.lane(), 0.5);
    const sent = Array.from({ length: 4 }, (_, n) => Buffer.from(String(n).repeat(50 * KB)));
    push(sent[0] as Buffer);
    quiet.push(chunk(1));
    for (const each of sent.slice(1)) push(each);
    reader.paused = true;
    clock.advance(1000);
    const pausedAt = noted.read;
    clock.advance(1000);
    assert.equal(noted.read, pausedAt);
    reader.paused = false;
    while (reader.isWaiting) {
      clock.advance(10);
      await new Promise(setImmediate);
    }
    assert.ok(Buffer.concat(noted.bytes).equals(Buffer.concat(sent)));
    assert.deepEqual(noted.waiting, [true, false]);
  });
});

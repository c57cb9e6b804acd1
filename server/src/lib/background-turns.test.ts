import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testClock } from "#test/clock";
import { BackgroundTurns } from "./background-turns.ts";

describe("turns of background work", () => {
  /** Starts pieces of work and collects the times at which they could start. */
  function setUp() {
    const clock = testClock();
    const turns = new BackgroundTurns(clock);
    const starts: number[] = [];
    const start = async (pieces: number) => {
      for (let piece = 0; piece < pieces; piece++) void turns.next().then(() => starts.push(clock.monotonic()));
      await settled();
    };
    return { clock, turns, starts, start };
  }
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

  it("start immediately while no caller sends requests", async () => {
    const { starts, start } = setUp();
    await start(20);
    assert.deepEqual(starts, Array(20).fill(0));
  });

  it("start one after the other, an interval apart, while callers send requests", async () => {
    const { clock, turns, starts, start } = setUp();
    turns.noteRequest();
    await start(4);
    for (let ms = 0; ms < 65; ms++) {
      clock.advance(1);
      turns.noteRequest();
      await settled();
    }
    assert.deepEqual(starts, [0, 20, 40, 60]);
  });

  it("start all that wait when the last request was long ago", async () => {
    const { clock, turns, starts, start } = setUp();
    turns.noteRequest();
    await start(10);
    for (let turn = 0; turn < 4; turn++) {
      clock.advance(10);
      await settled();
    }
    assert.deepEqual(starts, [0, 20, ...Array(8).fill(40)]);
  });
});

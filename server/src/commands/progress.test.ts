import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { Progress } from "./progress.ts";

function start(output: { readonly isTTY?: boolean; readonly columns?: number } = {}) {
  const clock = testClock();
  const written: string[] = [];
  const progress = new Progress({ ...output, write: (text) => written.push(text) }, clock);
  return { clock, written, progress };
}

/** What a terminal shows after this output. */
function shownAfter(written: readonly string[]): string[] {
  return written
    .join("")
    .split("\n")
    .map((line) =>
      line
        .split("\r")
        .reduce((shown, part) => part + shown.slice(part.length), "")
        .trimEnd(),
    );
}

describe("progress in a pipe or file", () => {
  it("prints a line every few seconds, and none for short work", () => {
    const { clock, written, progress } = start();
    for (let rows = 0; rows < 12; rows++) {
      progress.update(`${rows} rows`);
      clock.advance(1_000);
    }
    progress.end();
    assert.deepEqual(written, ["5 rows\n", "10 rows\n"]);
  });

  it("prints no update right after another line", () => {
    const { clock, written, progress } = start();
    clock.advance(4_000);
    progress.report("audit: 10 rows");
    clock.advance(4_000);
    progress.update("calls: 5 rows so far");
    assert.deepEqual(written, ["audit: 10 rows\n"]);
  });
});

describe("progress at a terminal", () => {
  it("rewrites its line, and removes it before other lines and at the end", () => {
    const { clock, written, progress } = start({ isTTY: true, columns: 100 });
    const update = (line: string) => {
      clock.advance(100);
      progress.update(line);
    };
    progress.report("Verifying a.backup");
    update("Verifying calls: 100000 rows so far");
    assert.deepEqual(shownAfter(written), ["Verifying a.backup", "Verifying calls: 100000 rows so far"]);
    update("audit: 5 rows so far");
    assert.deepEqual(shownAfter(written), ["Verifying a.backup", "audit: 5 rows so far"]);
    progress.report("audit: 6 rows");
    assert.deepEqual(shownAfter(written), ["Verifying a.backup", "audit: 6 rows", ""]);
    update("calls: 5 rows so far");
    progress.end();
    progress.end();
    assert.deepEqual(shownAfter(written), ["Verifying a.backup", "audit: 6 rows", ""]);
  });

  it("rewrites its line at most ten times per second", () => {
    const { clock, written, progress } = start({ isTTY: true, columns: 100 });
    for (let rows = 0; rows < 1_000; rows++) {
      progress.update(`${rows} rows`);
      clock.advance(1);
    }
    assert.equal(written.length, 9);
  });

  it("keeps its line shorter than the terminal is wide", () => {
    for (const [columns, length] of [
      [20, 19],
      [0, 79],
      [undefined, 79],
    ] as const) {
      const { clock, written, progress } = start({ isTTY: true, ...(columns !== undefined && { columns }) });
      clock.advance(100);
      progress.update("x".repeat(200));
      assert.deepEqual(written, [`\r${"x".repeat(length)}`]);
    }
  });

  it("does not mix with log lines", () => {
    const { clock, written, progress } = start({ isTTY: true, columns: 100 });
    clock.advance(100);
    progress.update("calls: 5 rows so far");
    createLogger("warn", progress).warn("slow");
    const [first = "", last] = shownAfter(written);
    assert.equal(JSON.parse(first).msg, "slow");
    assert.equal(last, "");
  });
});

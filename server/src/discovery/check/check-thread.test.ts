import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { testClock } from "#test/clock";
import { manyItems } from "#test/discovery-report";
import { checkReport, type GivenReport } from "../check-report.ts";
import { contentOf } from "../report-content.ts";
import { CheckThread } from "./check-thread.ts";

const IDLE_MS = 60_000;

function given(device: number): GivenReport {
  return { errors: [], enforcement: [], ...manyItems(device) };
}

describe("CheckThread", () => {
  let thread: CheckThread;
  beforeEach(() => {
    thread = new CheckThread(systemClock);
  });
  afterEach(() => thread.close());

  const check = (report: GivenReport) => thread.check(report, contentOf(report, [])?.text ?? "");

  it("returns the same as a check on the main thread", async () => {
    const secret = { ...manyItems(1).mcp_servers[0], url: "https://ada:hunter2@example.com/mcp?token=abc" };
    const report = { ...given(1), mcp_servers: [secret, 7, { name: "" }] };
    const checked = await check(report);
    assert.deepEqual(checked, await checkReport(report, async () => {}));
    assert.equal(checked.rejected.length, 2);
    assert.equal(JSON.stringify(checked).includes("hunter2"), false);
  });

  it("checks other reports after one that cannot be read", async () => {
    const [one, broken, two] = await Promise.allSettled([
      check(given(1)),
      thread.check(given(2), "{"),
      check(given(3)),
    ]);
    assert.deepEqual([one?.status, broken?.status, two?.status], ["fulfilled", "rejected", "fulfilled"]);
  });

  it("checks a report of the largest size that consists of nested lists", async () => {
    const entry = `{"x":[${"[[]],".repeat(1_000_000)}0]}`;
    const text = JSON.stringify([[], { ...given(1), mcp_servers: [0] }]).replace("[0]", () => `[${entry}]`);
    const { rejected } = await thread.check(given(1), text);
    assert.deepEqual(rejected, [{ path: "mcp_servers.0.name", reason: "name is required" }]);
  });

  it("starts another thread after the first one ended", async () => {
    await check(given(1));
    await thread.close();
    assert.equal((await check(given(2))).items.length, 30);
  });

  it("checks a report that arrives when the idle thread ends", async () => {
    const clock = testClock();
    thread = new CheckThread(clock);
    await check(given(1));
    clock.advance(IDLE_MS);
    assert.equal((await check(given(2))).items.length, 30);
  });

  it("checks everything that was sent before it closes", async () => {
    const reports = [check(given(1)), check(given(2))];
    await thread.close();
    assert.deepEqual(
      (await Promise.all(reports)).map(({ items }) => items.length),
      [30, 30],
    );
  });
});

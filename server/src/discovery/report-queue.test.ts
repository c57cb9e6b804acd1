import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ReportQueue } from "./report-queue.ts";

type Report = ReturnType<typeof reportOf>;

function reportOf(deviceId: string, id: string) {
  return { id, deviceId };
}

const idOf = ({ id }: Report) => id;
const resultOf = (report: Report) => ({ stored: idOf(report) });
const nextTurn = async () => {};

type Stored = ReturnType<typeof resultOf>;

function queueOf(store: (reports: readonly Report[]) => Promise<Stored[]>) {
  return new ReportQueue<Report, Stored>(store, nextTurn);
}

describe("the queue of reports", () => {
  it("stores reports that arrive together in one batch, and reports of one device in their order", async () => {
    const batches: string[][] = [];
    const queue = queueOf(async (reports) => {
      batches.push(reports.map(idOf));
      return reports.map(resultOf);
    });
    const sent = [reportOf("a", "a1"), reportOf("b", "b1"), reportOf("a", "a2")];
    const results = await Promise.all(sent.map((report) => queue.add(report)));
    assert.deepEqual(batches, [["a1", "b1"], ["a2"]]);
    assert.deepEqual(
      results.map(({ stored }) => stored),
      ["a1", "b1", "a2"],
    );
  });

  it("fails only the report that cannot be stored", async () => {
    const queue = queueOf(async (reports) => {
      if (reports.some((report) => idOf(report) === "bad")) throw new Error("not this one");
      return reports.map(resultOf);
    });
    const sent = [reportOf("a", "good"), reportOf("b", "bad"), reportOf("c", "also good")];
    const results = await Promise.allSettled(sent.map((report) => queue.add(report)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
  });

  it("limits the size of a batch", async () => {
    const sizes: number[] = [];
    const queue = queueOf(async (reports) => {
      sizes.push(reports.length);
      return reports.map(resultOf);
    });
    await Promise.all(Array.from({ length: 30 }, (_, n) => queue.add(reportOf(`device-${n}`, `${n}`))));
    assert.deepEqual(sizes, [24, 6]);
  });

  it("answers one report per turn", async () => {
    const turns: (() => void)[] = [];
    const turn = () => new Promise<void>((resolve) => void turns.push(resolve));
    const queue = new ReportQueue<Report, Stored>(async (reports) => reports.map(resultOf), turn);
    const answered: string[] = [];
    const sent = ["a", "b", "c"].map((id) => queue.add(reportOf(id, id)).then(({ stored }) => answered.push(stored)));
    for (const expected of [["a"], ["a", "b"], ["a", "b", "c"]]) {
      await sent[expected.length - 1];
      assert.deepEqual(answered, expected);
      turns.shift()?.();
    }
  });
});

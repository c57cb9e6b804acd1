import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginLine, endLine } from "./line.ts";
import { readSpool } from "./read-spool.ts";
import type { EndedCall } from "./record.ts";

const call: EndedCall = {
  requestId: "req_1",
  at: 1_700_000_000_000,
  method: "tools/list",
  userId: "usr_1",
  userEmail: "ann@example.com",
  serverSlug: undefined,
  tool: undefined,
  requestBytes: 1,
  outcome: "denied",
  durationUs: 7,
  responseBytes: 2,
  error: "no such tool: ü",
};
const lines = [beginLine(call), endLine(call), endLine({ ...call, requestId: "req_2" })];
const bytes = Buffer.from(lines.join(""));
const ALL = Number.POSITIVE_INFINITY;

describe("readSpool", () => {
  it("returns the complete lines of a segment cut off at any byte, and nothing of the truncated line", () => {
    const lengths = lines.map((line) => Buffer.byteLength(line));
    for (let cut = 0; cut <= bytes.length; cut++) {
      let whole = 0;
      let end = 0;
      while (whole < lengths.length && end + (lengths[whole] ?? 0) <= cut) end += lengths[whole++] ?? 0;
      const read = readSpool(bytes.subarray(0, cut), 0, ALL);
      assert.deepEqual([read.marks.length, read.nextOffset, read.unreadable], [whole, end, 0]);
    }
  });

  it("skips and counts a line that lost bytes in the middle", () => {
    const lineEnd = Buffer.byteLength(lines[0] ?? "");
    for (let lost = 0; lost < lineEnd - 1; lost++) {
      const damaged = Buffer.concat([bytes.subarray(0, lost), bytes.subarray(lost + 1)]);
      const read = readSpool(damaged, 0, ALL);
      assert.deepEqual([read.marks.length, read.unreadable], [2, 1]);
    }
  });

  it("reports where each mark ends in the segment, so reading can resume after any mark", () => {
    const whole = readSpool(bytes, 1000, ALL);
    assert.equal(whole.nextOffset, 1000 + bytes.length);
    for (const [index, { endsAt }] of whole.marks.entries()) {
      const rest = readSpool(bytes.subarray(endsAt - 1000), endsAt, ALL);
      const summarize = (marks: typeof whole.marks) =>
        marks.map(({ mark: { kind, call }, endsAt: at }) => ({ kind, call, at }));
      assert.deepEqual(summarize(rest.marks), summarize(whole.marks.slice(index + 1)));
    }
  });

  it("stops after the requested number of end marks", () => {
    const read = readSpool(bytes, 0, 1);
    assert.deepEqual(
      read.marks.map(({ mark }) => mark.kind),
      ["begin", "end"],
    );
    assert.equal(readSpool(bytes.subarray(read.nextOffset), read.nextOffset, 1).marks.length, 1);
  });
});

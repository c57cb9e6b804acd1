import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { endLine } from "./line.ts";
import type { EndedCall } from "./record.ts";
import { createSpoolFiles } from "./spool-files.ts";
import { segmentPath } from "./spool-paths.ts";

const call: EndedCall = {
  requestId: "req_1",
  at: 1_700_000_000_000,
  method: "tools/call",
  userId: "usr_1",
  userEmail: "ann@example.com",
  serverSlug: "github",
  tool: "t".repeat(300_000),
  requestBytes: 1,
  outcome: "ok",
  durationUs: 7,
  responseBytes: 2,
  error: undefined,
};

describe("spool files", () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "gatehouse-files-"));
  });
  after(() => rm(directory, { recursive: true }));
  const own = { id: "spl_own", isSealed: (segment: number) => segment < 11, isClosed: () => false };
  const files = () => createSpoolFiles({ directory, clock: systemClock, own });

  it("reads a line of any length and reports whether more data follows", async () => {
    const line = endLine(call);
    await writeFile(segmentPath(directory, "spl_long", 1), line + line);
    const first = await files().read("spl_long", 1, 0, 1);
    assert.deepEqual([first.marks.length, first.nextOffset, first.more], [1, line.length, true]);
    assert.equal(first.marks[0]?.mark.call?.tool, call.tool);
    const second = await files().read("spl_long", 1, line.length, 5);
    assert.deepEqual([second.marks.length, second.nextOffset, second.more], [1, 2 * line.length, false]);
    const third = await files().read("spl_long", 1, 2 * line.length, 5);
    assert.deepEqual([third.marks.length, third.nextOffset, third.more], [0, 2 * line.length, false]);
  });

  it("lists the segments of a spool by number and ignores other files", async () => {
    for (const segment of [9, 10, 1_000_000]) await writeFile(segmentPath(directory, "spl_own", segment), "");
    await writeFile(join(directory, "notes.spool"), "");
    assert.deepEqual(await files().segments("spl_own"), [9, 10, 1_000_000]);
    assert.deepEqual(await files().segments("spl_none"), []);
    assert.deepEqual(await files().abandoned(), ["spl_long"]);
    assert.deepEqual([files().isSealed("spl_own", 10), files().isSealed("spl_own", 11)], [true, false]);
    assert.equal(files().isSealed("spl_long", 11), true);
  });
});

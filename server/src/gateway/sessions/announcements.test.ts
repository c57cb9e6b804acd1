import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { exampleServer, exampleSnapshot } from "#test/example-entries";
import { SnapshotHolder } from "../snapshot/holder.ts";
import type { ListKind } from "../snapshot/list-kinds.ts";
import { Announcements } from "./announcements.ts";
import type { ViewWatchers } from "./view-watchers.ts";

function setUp() {
  const clock = testClock();
  const holder = new SnapshotHolder();
  const server = exampleServer("s", [], { id: "s" });
  holder.swap(exampleSnapshot({ servers: [server] }));
  const notified: ListKind[] = [];
  const watchers = {
    announced: (_server: unknown, kind: ListKind) => void notified.push(kind),
  } as unknown as ViewWatchers; // all that is used
  const syncedAs: (string | undefined)[] = [];
  const syncs: PromiseWithResolvers<void>[] = [];
  const listSync = {
    again: (_serverId: string, userId: string | undefined) => {
      syncedAs.push(userId);
      const reading = Promise.withResolvers<void>();
      syncs.push(reading);
      return reading.promise;
    },
  };
  const logger = createLogger("silent");
  const announcements = new Announcements({ holder, watchers, listSync, clock, logger });
  const finish = async () => {
    syncs.at(-1)?.resolve();
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  return { clock, holder, server, notified, syncs, syncedAs, announcements, finish };
}

describe("Announcements", () => {
  it("during a sync cause one more sync, not one each", async () => {
    const { announcements, syncs, finish, notified } = setUp();
    for (const kind of ["tools", "tools", "prompts", "tools"] as const) announcements.received("s", kind);
    assert.equal(syncs.length, 1);
    await finish();
    assert.equal(syncs.length, 2);
    await finish();
    assert.deepEqual([syncs.length, notified], [2, ["tools", "tools", "prompts"]]);
  });

  it("without end cause twenty consecutive syncs, and then one every five seconds", async () => {
    const { announcements, syncs, finish, clock } = setUp();
    for (let i = 0; i < 50; i++) {
      announcements.received("s", "tools");
      await finish();
    }
    assert.equal(syncs.length, 20);
    for (let i = 0; i < 30; i++) {
      clock.advance(1_000);
      announcements.received("s", "tools");
      await finish();
    }
    assert.equal(syncs.length, 26);
    clock.advance(10 * 60_000);
    await finish();
    assert.equal(syncs.length, 27, "the last announcement is not lost");
  });

  it("of lists that differ after the sync are left to the new snapshot", async () => {
    const { announcements, finish, notified, holder, server } = setUp();
    announcements.received("s", "tools");
    announcements.missed("s");
    holder.swap(exampleSnapshot({ servers: [{ ...server, tools: { ...server.tools, fragment: Buffer.from("{}") } }] }));
    await finish();
    await finish();
    assert.deepEqual(notified, []);
  });

  it("of a deleted server, or one that cannot be synced, are ignored", async () => {
    const { announcements, syncs, finish, notified } = setUp();
    announcements.received("gone", "tools");
    await finish();
    announcements.received("s", "tools");
    syncs.at(-1)?.reject(new Error("not now"));
    await finish();
    announcements.received("s", "prompts");
    await finish();
    assert.deepEqual(notified, ["prompts"]);
  });

  it("to one user cause a sync with that user's credential, and others are notified only of differences", async () => {
    const { announcements, syncedAs, finish, notified } = setUp();
    announcements.received("s", "tools", "usr_a");
    await finish();
    announcements.received("s", "tools");
    await finish();
    assert.deepEqual([syncedAs, notified], [["usr_a", undefined], ["tools"]]);
  });

  it("are ignored after close", () => {
    const { announcements, syncs } = setUp();
    announcements.close();
    announcements.received("s", "tools");
    assert.equal(syncs.length, 0);
  });
});

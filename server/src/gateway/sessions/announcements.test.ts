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
  const told: ListKind[] = [];
  const watchers = { announced: (_server: unknown, kind: ListKind) => void told.push(kind) } as unknown as ViewWatchers; // all that is used
  const readAs: (string | undefined)[] = [];
  const readings: PromiseWithResolvers<void>[] = [];
  const listSync = {
    again: (_serverId: string, userId: string | undefined) => {
      readAs.push(userId);
      const reading = Promise.withResolvers<void>();
      readings.push(reading);
      return reading.promise;
    },
  };
  const logger = createLogger("silent");
  const announcements = new Announcements({ holder, watchers, listSync, clock, logger });
  const finish = async () => {
    readings.at(-1)?.resolve();
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  return { clock, holder, server, told, readings, readAs, announcements, finish };
}

describe("Announcements", () => {
  it("that come while a server is read cause one more reading, not one each", async () => {
    const { announcements, readings, finish, told } = setUp();
    for (const kind of ["tools", "tools", "prompts", "tools"] as const) announcements.received("s", kind);
    assert.equal(readings.length, 1);
    await finish();
    assert.equal(readings.length, 2);
    await finish();
    assert.deepEqual([readings.length, told], [2, ["tools", "tools", "prompts"]]);
  });

  it("without end cause twenty readings at once, and then one every five seconds", async () => {
    const { announcements, readings, finish, clock } = setUp();
    for (let i = 0; i < 50; i++) {
      announcements.received("s", "tools");
      await finish();
    }
    assert.equal(readings.length, 20);
    for (let i = 0; i < 30; i++) {
      clock.advance(1_000);
      announcements.received("s", "tools");
      await finish();
    }
    assert.equal(readings.length, 26);
    clock.advance(10 * 60_000);
    await finish();
    assert.equal(readings.length, 27, "the last word is not lost");
  });

  it("of what differs once read are left to the new snapshot", async () => {
    const { announcements, finish, told, holder, server } = setUp();
    announcements.received("s", "tools");
    announcements.missed("s");
    holder.swap(exampleSnapshot({ servers: [{ ...server, tools: { ...server.tools, fragment: Buffer.from("{}") } }] }));
    await finish();
    await finish();
    assert.deepEqual(told, []);
  });

  it("of a server that is gone, or that cannot be read, do no harm", async () => {
    const { announcements, readings, finish, told } = setUp();
    announcements.received("gone", "tools");
    await finish();
    announcements.received("s", "tools");
    readings.at(-1)?.reject(new Error("not now"));
    await finish();
    announcements.received("s", "prompts");
    await finish();
    assert.deepEqual(told, ["prompts"]);
  });

  it("to one user are read with that user's credential, and told to others only where something differs", async () => {
    const { announcements, readAs, finish, told } = setUp();
    announcements.received("s", "tools", "usr_a");
    await finish();
    announcements.received("s", "tools");
    await finish();
    assert.deepEqual([readAs, told], [["usr_a", undefined], ["tools"]]);
  });

  it("are not acted on after the end", () => {
    const { announcements, readings } = setUp();
    announcements.close();
    announcements.received("s", "tools");
    assert.equal(readings.length, 0);
  });
});

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { SnapshotHolder } from "#gateway/snapshot/holder";
import { DEFAULT_LIMITS } from "#gateway/snapshot/limits";
import type { Snapshot } from "#gateway/snapshot/shape";
import { ShardedMap } from "#gateway/snapshot/sharded-map";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { CHANGE_KINDS, type ChangeKind } from "#storage/tables";
import { openTestSqlite } from "#test/databases";
import { addUser, write } from "#test/example-replica";
import { compiledKind, type PublishedState } from "./published-kind.ts";
import { publishedKinds } from "./published-kinds.ts";
import { buildState } from "./published-state.ts";
import { createPublisher } from "./publisher.ts";

interface Widget {
  readonly id: string;
  readonly label: string;
}

interface WidgetSnapshot extends Snapshot {
  readonly widgetLabels: ShardedMap<string>;
}

/** A kind that production does not know, stored in memory instead of in a table. */
function widgetKind(stored: ReadonlyMap<string, Widget>) {
  return compiledKind<Widget, string>({
    kind: "widget",
    records: {
      async *all() {
        yield [...stored.values()];
      },
      async *byIds(_db, ids) {
        yield [...ids].flatMap((id) => stored.get(id) ?? []);
      },
    },
    compile: (row, state) => `${row.label} of ${state.snapshot.usersById.size} users`,
    place: (state, labels) => placed(state, widgetLabelsOf(state.snapshot).with(labels)),
  });
}

function placed(state: PublishedState, widgetLabels: ShardedMap<string>): PublishedState {
  const snapshot: WidgetSnapshot = { ...state.snapshot, widgetLabels };
  return { ...state, snapshot };
}

function widgetLabelsOf(snapshot: Snapshot): ShardedMap<string> {
  return "widgetLabels" in snapshot ? (snapshot as WidgetSnapshot).widgetLabels : ShardedMap.empty();
}

describe("the table of published kinds", () => {
  it("has one entry for each kind of change", () => {
    const kinds = publishedKinds().map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), CHANGE_KINDS.toSorted());
  });

  it("accepts changes only from records, so that an operation cannot forget one", () => {
    const source = new URL("../", import.meta.url);
    const files = globSync("**/*.ts", { cwd: source, exclude: ["**/*.test.ts", "records/**"] });
    const noting = files.filter((file) => readFileSync(new URL(file, source), "utf8").includes("trail.changed("));
    assert.ok(files.length > 100);
    assert.deepEqual(noting, []);
  });

  it("gives an installation without changed settings the gateway's default limits", async (test) => {
    const { databases, close } = await openTestSqlite();
    test.after(close);
    assert.deepEqual((await buildState(databases, publishedKinds())).snapshot.limits, DEFAULT_LIMITS);
  });

  it("accepts another kind, which is placed by the full build and updated by changes", async (test) => {
    const { databases, close } = await openTestSqlite();
    test.after(close);
    const stored = new Map([["wid_1", { id: "wid_1", label: "first" }]]);
    const holder = new SnapshotHolder();
    const kinds = [...publishedKinds(), widgetKind(stored)];
    const publisher = createPublisher({
      databases,
      clock: systemClock,
      logger: createLogger("silent"),
      holder,
      kinds,
    });
    const labels = () => Object.fromEntries(widgetLabelsOf(holder.current()));
    const change = (...ids: string[]) =>
      write(databases, async (_tx, trail) => trail.changed("widget" as ChangeKind, ...ids));

    await addUser(databases, "usr_1");
    await publisher.start();
    assert.deepEqual(labels(), { wid_1: "first of 1 users" });

    stored.set("wid_2", { id: "wid_2", label: "second" });
    await publisher.applyUpTo(await change("wid_2"));
    assert.deepEqual(labels(), { wid_1: "first of 1 users", wid_2: "second of 1 users" });

    const before = widgetLabelsOf(holder.current());
    await publisher.applyUpTo(await addUser(databases, "usr_2"));
    assert.equal(widgetLabelsOf(holder.current()), before, "a change of another kind keeps the map");

    stored.delete("wid_1");
    stored.set("wid_2", { id: "wid_2", label: "renamed" });
    await publisher.applyUpTo(await change("wid_1", "wid_2"));
    assert.deepEqual(labels(), { wid_2: "renamed of 2 users" });
    await publisher.stop();
  });

  it("reports changed connections, and after a full build that any may have changed", async (test) => {
    const { databases, close } = await openTestSqlite();
    test.after(close);
    const reported: (readonly string[] | undefined)[] = [];
    const publisher = createPublisher({
      databases,
      clock: systemClock,
      logger: createLogger("silent"),
      holder: new SnapshotHolder(),
      kinds: publishedKinds({ connectionsChanged: (keys) => reported.push(keys && [...keys]) }),
    });
    await publisher.start();
    await publisher.applyUpTo(
      await write(databases, async (_tx, trail) => trail.changed("connection", "usr_1 srv_1", "usr_2 srv_1")),
    );
    await publisher.applyUpTo(await addUser(databases, "usr_1"));
    assert.deepEqual(reported, [undefined, ["usr_1 srv_1", "usr_2 srv_1"]]);
    await publisher.stop();
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exampleServer, exampleSnapshot, exampleTools, exampleUser } from "#test/example-entries";
import { SnapshotHolder } from "./holder.ts";
import { EMPTY_LISTING } from "./listing.ts";
import { nextSnapshot, type SnapshotChanges } from "./next-snapshot.ts";
import type { Snapshot } from "./shape.ts";

const none: SnapshotChanges = {
  revision: 2,
  servers: new Map(),
  groups: new Map(),
  users: new Map(),
  credentials: new Map(),
};

const a = exampleServer("a", ["g1"]);
const b = exampleServer("b", ["g1", "g2"]);
const bare = exampleServer("bare", ["g2"], { tools: EMPTY_LISTING });
const c = exampleServer("c", ["g2"]);
const one = exampleUser("one", ["g1"]);
const both = exampleUser("both", ["g2", "g1", "gone"]);
const alsoBoth = exampleUser("also-both", ["g1", "g1", "g2"]);
const groupless = exampleUser("groupless", ["gone"]);
const disabled = exampleUser("disabled", ["g1"], { disabled: true });
const users = [one, both, alsoBoth, groupless, disabled];

function holderOf(snapshot: Snapshot, budget?: number): SnapshotHolder {
  const holder = new SnapshotHolder(budget);
  holder.swap(snapshot);
  return holder;
}

const snapshot = exampleSnapshot({ servers: [c, bare, b, a], groups: { g1: false, g2: false }, users });

describe("SnapshotHolder", () => {
  it("holds an empty snapshot before the first build", () => {
    const holder = new SnapshotHolder();
    assert.equal(holder.current().revision, 0);
    assert.deepEqual(holder.viewFor({ user: one }).servers, []);
  });

  it("lists each server once, ordered by slug", () => {
    const view = holderOf(snapshot).viewFor({ user: both });
    assert.deepEqual(view.servers, [a, b, bare, c]);
    assert.equal(view.count("tools"), 3);
    assert.equal(view.fragment("tools").toString(), '{"name":"a__echo"},{"name":"b__echo"},{"name":"c__echo"}');
  });

  it("shows nothing to a user who is disabled, deleted, or without existing groups", () => {
    const holder = holderOf(snapshot);
    for (const user of [disabled, groupless, exampleUser("unknown", ["g1"])]) {
      assert.deepEqual(holder.viewFor({ user }).servers, []);
      assert.equal(holder.viewFor({ user }).fragment("tools").length, 0);
    }
  });

  it("shares a view and its joined tools among users with the same existing groups", () => {
    const holder = holderOf(snapshot);
    assert.equal(holder.viewFor({ user: both }), holder.viewFor({ user: alsoBoth }));
    assert.equal(
      holder.viewFor({ user: both }).fragment("tools"),
      holder.viewFor({ user: alsoBoth }).fragment("tools"),
    );
    assert.notEqual(holder.viewFor({ user: one }), holder.viewFor({ user: both }));
  });

  it("never confuses two sets of groups, whatever their ids look like", () => {
    const tricky = ["x", "y", "x,y", 'x","y'];
    const servers = tricky.map((id, i) => exampleServer(`s${i}`, [id]));
    const people = [...tricky.map((id) => exampleUser(id, [id])), exampleUser("xy", ["x", "y"])];
    const groups = Object.fromEntries(tricky.map((id) => [id, false]));
    const holder = holderOf(exampleSnapshot({ servers, groups, users: people }));
    const seen = people.map((user) => holder.viewFor({ user }).servers.map((server) => server.slug));
    assert.deepEqual(seen, [["s0"], ["s1"], ["s2"], ["s3"], ["s0", "s1"]]);
  });

  it("keeps views while only users and credentials change", () => {
    const holder = holderOf(snapshot);
    const view = holder.viewFor({ user: one });
    holder.swap(nextSnapshot(snapshot, { ...none, users: new Map([["new", exampleUser("new", ["g1"])]]) }));
    assert.equal(holder.viewFor({ user: one }), view);
    assert.equal(holder.viewFor({ user: exampleUser("new", ["g1"]) }), view);
  });

  it("drops views when a server or a group changes", () => {
    const holder = holderOf(snapshot);
    assert.deepEqual(holder.viewFor({ user: one }).servers, [a, b]);
    const draft = { ...a, active: false };
    holder.swap(nextSnapshot(snapshot, { ...none, servers: new Map([[a.id, draft]]) }));
    assert.deepEqual(holder.viewFor({ user: one }).servers, [b]);
    const shows = { id: "g1", showDrafts: true, serverIds: [a.id, b.id] };
    holder.swap(nextSnapshot(holder.current(), { ...none, groups: new Map([["g1", shows]]) }));
    assert.deepEqual(holder.viewFor({ user: one }).servers, [draft, b]);
  });

  it("uses the current user record, not the one the caller holds", () => {
    const holder = holderOf(snapshot);
    holder.swap(nextSnapshot(snapshot, { ...none, users: new Map([["one", { ...one, groupIds: ["g2"] }]]) }));
    assert.deepEqual(holder.viewFor({ user: one }).servers, [b, bare, c]);
    holder.swap(nextSnapshot(snapshot, { ...none, users: new Map([["one", undefined]]) }));
    assert.deepEqual(holder.viewFor({ user: one }).servers, []);
  });

  it("does not return a view of an older snapshot to the cache", () => {
    const holder = holderOf(snapshot);
    const old = holder.viewFor({ user: one });
    holder.swap(nextSnapshot(snapshot, { ...none, servers: new Map([[a.id, undefined]]) }));
    assert.equal(old.fragment("tools").toString(), '{"name":"a__echo"},{"name":"b__echo"}');
    assert.deepEqual(holder.viewFor({ user: one }).servers, [b]);
    const current = holder.viewFor({ user: one });
    old.fragment("tools");
    assert.equal(holder.viewFor({ user: one }), current);
  });

  it("stays within its budget: joined tools count, and very large ones are not cached", () => {
    const big = (slug: string, group: string, bytes: number) =>
      exampleServer(slug, [group], { tools: { ...exampleTools(slug, ["echo"]), fragment: Buffer.alloc(bytes, "x") } });
    const servers = [big("s1", "g1", 800), big("s2", "g2", 800), big("t1", "g3", 3000), big("t2", "g3", 3000)];
    const people = ["g1", "g2", "g3"].map((group) => exampleUser(group, [group]));
    const groups = { g1: false, g2: false, g3: false };
    const [first, second, third] = people;
    assert.ok(first && second && third);

    const roomy = holderOf(exampleSnapshot({ servers, groups, users: people }), 8000);
    const kept = roomy.viewFor({ user: first });
    assert.equal(kept.fragment("tools"), kept.fragment("tools"));
    roomy.viewFor({ user: second }).fragment("tools");
    assert.equal(roomy.viewFor({ user: first }), kept);
    const huge = roomy.viewFor({ user: third });
    assert.equal(huge.fragment("tools").length, 6001);
    assert.notEqual(huge.fragment("tools"), huge.fragment("tools"));
    assert.equal(roomy.viewFor({ user: first }), kept);

    const tight = holderOf(exampleSnapshot({ servers, groups, users: people }), 1100);
    const pushedOut = tight.viewFor({ user: first });
    tight.viewFor({ user: second });
    tight.viewFor({ user: third });
    assert.notEqual(tight.viewFor({ user: first }), pushedOut);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exampleServer, exampleSnapshot, exampleUser } from "#test/example-entries";
import { nextSnapshot, type SnapshotChanges } from "./next-snapshot.ts";
import type { ServerEntry } from "./shape.ts";

const none: SnapshotChanges = {
  revision: 2,
  servers: new Map(),
  groups: new Map(),
  users: new Map(),
  credentials: new Map(),
};

describe("nextSnapshot", () => {
  const a = exampleServer("a", ["g"]);
  const b = exampleServer("b", ["g"]);
  const before = exampleSnapshot({ servers: [a, b], groups: { g: false } });

  function slugsAfter(...servers: [string, ServerEntry | undefined][]) {
    const next = nextSnapshot(before, { ...none, servers: new Map(servers) });
    return Object.fromEntries(next.serverIdBySlug);
  }

  it("moves a renamed server's slug and removes a deleted server's", () => {
    assert.deepEqual(slugsAfter([a.id, { ...a, slug: "c" }]), { c: a.id, b: b.id });
    assert.deepEqual(slugsAfter([a.id, undefined]), { b: b.id });
  });

  it("lets two servers swap their slugs in one step", () => {
    const swapped: [string, ServerEntry][] = [
      [a.id, { ...a, slug: "b" }],
      [b.id, { ...b, slug: "a" }],
    ];
    assert.deepEqual(slugsAfter(...swapped), { b: a.id, a: b.id });
    assert.deepEqual(slugsAfter(...swapped.reverse()), { b: a.id, a: b.id });
  });

  it("keeps a slug that another server took over, in either order of changes", () => {
    const changes: [string, ServerEntry | undefined][] = [
      [a.id, undefined],
      [b.id, { ...b, slug: "a" }],
    ];
    assert.deepEqual(slugsAfter(...changes), { a: b.id });
    assert.deepEqual(slugsAfter(...changes.reverse()), { a: b.id });
  });

  it("removes a server's slug only if it still belongs to that server", () => {
    const late = { ...b, slug: "a" };
    const overtaken = exampleSnapshot({ servers: [a, late], groups: { g: false } });
    const next = nextSnapshot(overtaken, { ...none, servers: new Map([[a.id, undefined]]) });
    assert.equal(next.serverIdBySlug.get("a"), b.id);
  });

  it("keeps maps without changes identical", () => {
    const next = nextSnapshot(before, { ...none, users: new Map([["u", exampleUser("u", ["g"])]]) });
    assert.equal(next.revision, 2);
    assert.equal(next.serversById, before.serversById);
    assert.equal(next.groups, before.groups);
    assert.equal(before.usersById.size, 0);
  });
});

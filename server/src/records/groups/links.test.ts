import assert from "node:assert/strict";
import { before, it } from "node:test";
import type { MainDb } from "#storage/database";
import { WriteTrail } from "#storage/transaction";
import { forEachDatabase } from "#test/databases";
import { serverRow, userRow } from "#test/example-replica";
import { serverLinks, userLinks } from "./links.ts";
import { deleteGroup } from "./store.ts";

function groupRow(id: string, createdAt: number) {
  const flags = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false };
  return { id, name: `name of ${id}`, name_key: id, ...flags, created_at: createdAt, updated_at: 1 };
}

forEachDatabase("group links", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
    await db
      .insertInto("groups")
      .values([groupRow("grp_b", 1), groupRow("grp_a", 2)])
      .execute();
    await db
      .insertInto("mcp_servers")
      .values([serverRow("srv_1", "one"), serverRow("srv_2", "two")])
      .execute();
    await db.insertInto("users").values(userRow("usr_1")).execute();
  });

  async function changesOf(work: (trail: WriteTrail) => Promise<unknown>): Promise<string[]> {
    const trail = new WriteTrail();
    await work(trail);
    return [...new Set(trail.changes.map(({ kind, id }) => `${kind} ${id}`))].sort();
  }

  it("are added once, and note servers and groups but only users", async () => {
    const links = [
      { groupId: "grp_a", memberId: "srv_1" },
      { groupId: "grp_b", memberId: "srv_1" },
      { groupId: "grp_a", memberId: "srv_2" },
    ];
    for (let time = 0; time < 2; time++) {
      const changes = await changesOf((trail) => db.transaction().execute((tx) => serverLinks.add(tx, trail, links)));
      assert.deepEqual(changes, ["group grp_a", "group grp_b", "server srv_1", "server srv_2"]);
    }
    const user = [{ groupId: "grp_a", memberId: "usr_1" }];
    const changes = await changesOf((trail) => db.transaction().execute((tx) => userLinks.add(tx, trail, user)));
    assert.deepEqual(changes, ["user usr_1"]);
    assert.deepEqual(await changesOf((trail) => db.transaction().execute((tx) => userLinks.add(tx, trail, []))), []);
  });

  it("are read from both sides", async () => {
    const members = await serverLinks.membersOf(db, ["grp_a", "grp_b"]);
    assert.deepEqual(members.get("grp_a")?.toSorted(), ["srv_1", "srv_2"]);
    assert.deepEqual(members.get("grp_b"), ["srv_1"]);
    const groups = await serverLinks.groupsOf(db, ["srv_1", "srv_2"]);
    assert.deepEqual(groups.get("srv_1")?.toSorted(), ["grp_a", "grp_b"]);
    assert.deepEqual(await userLinks.groupsOf(db, ["usr_1"]), new Map([["usr_1", ["grp_a"]]]));
    assert.deepEqual(await userLinks.groupsOf(db, []), new Map());
    const names = await serverLinks.groupNamesOf(db, ["srv_1"]);
    assert.deepEqual(names.get("srv_1"), ["name of grp_b", "name of grp_a"], "oldest group first");
  });

  it("are removed, and report whether they existed", async () => {
    const link = { groupId: "grp_b", memberId: "srv_1" };
    const existed: boolean[] = [];
    const remove = (trail: WriteTrail) =>
      db.transaction().execute(async (tx) => existed.push(await serverLinks.remove(tx, trail, link)));
    assert.deepEqual(await changesOf(remove), ["group grp_b", "server srv_1"]);
    await changesOf(remove);
    assert.deepEqual(existed, [true, false]);
  });

  it("end with their group, which notes its servers", async () => {
    const changes = await changesOf((trail) => db.transaction().execute((tx) => deleteGroup(tx, trail, "grp_a")));
    assert.deepEqual(changes, ["group grp_a", "server srv_1", "server srv_2"]);
    assert.deepEqual(await serverLinks.membersOf(db, ["grp_a"]), new Map());
  });
});

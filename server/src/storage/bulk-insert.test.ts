import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { deviceRow } from "#test/discovery-rows";
import { type BulkColumnOf, cellsOf, insertRows, updateRows } from "./bulk-insert.ts";
import type { MainDb } from "./database.ts";
import type { DiscoveryDeviceRow } from "./discovery-tables.ts";

const COUNTS = [
  ["item_id", "text"],
  ["user_key", "text"],
  ["count", "bigint"],
] as const;

forEachDatabase("many rows in one statement", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
    await db
      .insertInto("discovery_devices")
      .values(["a", "b", "c"].map((id) => deviceRow(id)))
      .execute();
  });

  it("counts inserted and changed rows, and not those that exist", async () => {
    const insert = (rows: [string, string, number][], onConflict: string) =>
      insertRows(db, "discovery_item_users", COUNTS, rows, onConflict);
    assert.equal(await insert([["i", "u", 1]], ""), 1);
    const rows: [string, string, number][] = [
      ["i", "u", 2],
      ["j", "u", 3],
    ];
    assert.equal(await insert(rows, "on conflict do nothing"), 1);
    const add = "on conflict (item_id, user_key) do update set count = discovery_item_users.count + excluded.count";
    assert.equal(await insert(rows, add), 2);
    const stored = await db.selectFrom("discovery_item_users").selectAll().orderBy("item_id").execute();
    assert.deepEqual(
      stored.map(({ count }) => count),
      [3, 6],
    );
  });

  it("changes only the rows with the given IDs, and stores each type", async () => {
    const columns = [
      ["hostname", "text"],
      ["arch", "text"],
      ["retired", "boolean"],
      ["counts", "json"],
    ] as const satisfies BulkColumnOf<DiscoveryDeviceRow>[];
    const changed = (id: string) => ({
      ...deviceRow(id),
      hostname: "it's",
      arch: null,
      retired: true,
      counts: { "?": 1 },
    });
    const rows = ["a", "c", "missing"].map((id) => cellsOf([...columns, ["id", "text"]], changed(id)));
    await updateRows(db, "discovery_devices", columns, rows);
    await updateRows(db, "discovery_devices", [["evaluation", "bigint", "evaluation + ?"]], [[5, "b"]]);
    const stored = await db.selectFrom("discovery_devices").selectAll().orderBy("id").execute();
    const added = deviceRow("b").evaluation + 5;
    assert.deepEqual(stored, [changed("a"), { ...deviceRow("b"), evaluation: added }, changed("c")]);
  });
});

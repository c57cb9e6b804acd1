import assert from "node:assert/strict";
import { before, it } from "node:test";
import { sql } from "kysely";
import type { MainDb } from "#storage/database";
import { forEachDatabase, onSqlite } from "#test/databases";
import { itemRow } from "#test/discovery-rows";
import { insertItems, listItems } from "./index.ts";

forEachDatabase("lists of discovered items", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
    const popular = { risk_score: 20, devices_count: 2 };
    const rows = [
      itemRow("a", { first_seen: 3, devices_count: 1 }),
      itemRow("b", { first_seen: 2, devices_count: 1 }),
      itemRow("c", { first_seen: 1, ...popular }),
      itemRow("d", { first_seen: 2, devices_count: 1 }),
    ];
    await db.transaction().execute((tx) => insertItems(tx, rows));
  });

  const list = async (sort: "risk" | "devices", descending: boolean) => {
    const rows = await listItems(
      db,
      { kind: "mcp_server", includeRemoved: false },
      { skip: 0, limit: 10, sort, descending },
    );
    return rows.map(({ id }) => id).join("");
  };

  it("have equal items in the order in which they were first seen", async () => {
    for (const sort of ["risk", "devices"] as const) {
      assert.equal(await list(sort, false), "bdac");
      assert.equal(await list(sort, true), "cadb");
    }
  });
});

onSqlite("the indexes of discovered items", (open) => {
  it("have the order of the lists", async () => {
    const { databases } = await open();
    for (const column of ["risk_score", "devices_count"]) {
      const { rows } = await sql<{ detail: string }>`explain query plan select * from discovery_items
        where kind = 'mcp_server' order by ${sql.ref(column)} desc, first_seen desc, id desc limit 10`.execute(
        databases.main,
      );
      assert.doesNotMatch(rows.map(({ detail }) => detail).join("\n"), /TEMP B-TREE/);
    }
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import { forEachDatabase, type OpenTestDatabase } from "#test/databases";
import type { MainDb } from "./database.ts";
import type { McpServerRow } from "./server-tables.ts";
import { toStoredValue } from "./stored-values.ts";

const GROUP = {
  id: "grp_1",
  name: "Engineering",
  name_key: "engineering",
  auto_assign_users: true,
  auto_assign_mcps: false,
  show_draft_mcps: false,
  provisioned_by: null,
  external_id: null,
  calls_per_minute: null,
  concurrent_calls: null,
  created_at: Number.MAX_SAFE_INTEGER,
  updated_at: 0,
};

const SERVER: McpServerRow & { endpoint_key: null } = {
  id: "srv_1",
  slug: "linear",
  name: "Linear",
  description: "",
  search_text: "linear",
  status: "active",
  connector_id: null,
  upstream_url: null,
  upstream_transport: null,
  auth_type: "none",
  auth_settings: { clientId: "c", client: { scope: "a b" } },
  sealed_client_secret: null,
  sealed_shared_headers: null,
  is_local: false,
  limits: { queued_calls: 0 },
  eras: ["modern", "legacy"],
  sync_tried_at: null,
  tools_synced_at: null,
  sync_error: null,
  sync_failed_at: null,
  tool_policy: "warn",
  pass_instructions: true,
  result_limit_bytes: 4096,
  created_at: 1,
  updated_at: 1,
  endpoint_key: null,
  discovered_oauth: null,
  oauth_change: null,
  sync_user_id: null,
};

forEachDatabase("values", (open) => {
  it("returns booleans, integers up to 2^53 - 1 and null unchanged", async () => {
    const main = await openMain(open);
    await main.insertInto("groups").values(GROUP).execute();
    assert.deepEqual(await main.selectFrom("groups").selectAll().execute(), [GROUP]);
    const members = main.selectFrom("groups").where("auto_assign_users", "=", true);
    assert.deepEqual(await members.select("id").execute(), [{ id: "grp_1" }]);
  });

  it("returns JSON objects and arrays unchanged, also nested and empty ones", async () => {
    const main = await openMain(open);
    await main
      .insertInto("mcp_servers")
      .values([SERVER, { ...SERVER, id: "srv_2", slug: "b", eras: [], auth_settings: {} }])
      .execute();
    assert.deepEqual(await main.selectFrom("mcp_servers").selectAll().orderBy("id").execute(), [
      SERVER,
      { ...SERVER, id: "srv_2", slug: "b", eras: [], auth_settings: {} },
    ]);
  });

  it("returns any JSON object and any text without NUL unchanged", async () => {
    const main = await openMain(open);
    const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0"));
    const property = fc.asyncProperty(fc.dictionary(text, fc.jsonValue()), text, async (value, name) => {
      const stored = { name, value: { nested: [value] }, updated_at: 0 };
      await main.deleteFrom("settings").execute();
      await main.insertInto("settings").values(stored).execute();
      const expected = JSON.parse(JSON.stringify(stored));
      assert.deepEqual(await main.selectFrom("settings").selectAll().execute(), [expected]);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it("returns bytes as a Uint8Array, also empty ones", async () => {
    const main = await openMain(open);
    for (const bytes of [new Uint8Array([0, 255, 92, 120]), new Uint8Array(0)]) {
      const { rows } = await main.transaction().execute(async (transaction) => {
        await sql`CREATE TABLE IF NOT EXISTS bytes (value BYTEA)`.execute(transaction);
        await sql`DELETE FROM bytes`.execute(transaction);
        return sql<{ value: Uint8Array }>`INSERT INTO bytes (value) VALUES (${bytes}) RETURNING value`.execute(
          transaction,
        );
      });
      assert.deepEqual(rows, [{ value: bytes }]);
      assert.equal(Object.getPrototypeOf(rows[0]?.value), Uint8Array.prototype);
    }
  });

  it("keeps a column's declared type in RETURNING, aliases, joins and CTEs", async () => {
    const main = await openMain(open);
    const inserted = await main
      .insertInto("groups")
      .values(GROUP)
      .returning(["auto_assign_users as auto", "created_at"])
      .execute();
    assert.deepEqual(inserted, [{ auto: true, created_at: Number.MAX_SAFE_INTEGER }]);
    const updated = await main
      .updateTable("groups")
      .set({ show_draft_mcps: true })
      .returningAll()
      .executeTakeFirstOrThrow();
    assert.deepEqual(updated, { ...GROUP, show_draft_mcps: true });
    await main.insertInto("mcp_servers").values(SERVER).execute();
    await main.insertInto("group_servers").values({ group_id: GROUP.id, server_id: SERVER.id }).execute();
    const joined = await main
      .with("wanted", (db) => db.selectFrom("mcp_servers").select(["id", "eras as e", "is_local"]))
      .selectFrom("group_servers")
      .innerJoin("wanted", "wanted.id", "group_servers.server_id")
      .select(["wanted.e", "wanted.is_local"])
      .execute();
    assert.deepEqual(joined, [{ e: ["modern", "legacy"], is_local: false }]);
  });

  it("returns counts and sums as numbers, and divides by a parameter as integers", async () => {
    const main = await openMain(open);
    await main
      .insertInto("groups")
      .values({ ...GROUP, created_at: 7 })
      .execute();
    const row = await main
      .selectFrom("groups")
      .select((eb) => [
        eb.fn.countAll<number>().as("count"),
        eb.fn.sum<number>("created_at").as("sum"),
        sql<number>`min(created_at / ${2})`.as("half"),
      ])
      .executeTakeFirstOrThrow();
    assert.deepEqual(row, { count: 1, sum: 7, half: 3 });
  });

  it("rejects an integer beyond 2^53 in a result instead of rounding it", async () => {
    const main = await openMain(open);
    await main.updateTable("change_counter").set({ revision: sql<number>`9007199254740993` }).execute();
    await assert.rejects(main.selectFrom("change_counter").selectAll().execute(), /too large to be represented/);
  });

  it("returns rows as plain objects", async () => {
    const main = await openMain(open);
    const row = await main.selectFrom("change_counter").selectAll().executeTakeFirstOrThrow();
    assert.equal(Object.getPrototypeOf(row), Object.prototype);
  });

  it("returns the number of changed rows", async () => {
    const main = await openMain(open);
    await main.insertInto("groups").values(GROUP).execute();
    const updated = await main.updateTable("groups").set({ name: "E" }).executeTakeFirstOrThrow();
    const deleted = await main.deleteFrom("groups").where("id", "=", "none").executeTakeFirstOrThrow();
    assert.deepEqual([updated.numUpdatedRows, deleted.numDeletedRows], [1n, 0n]);
  });

  it("stores a text with NUL in SQLite and rejects it in Postgres", async () => {
    const { databases, dialect } = await open();
    const written = databases.main
      .insertInto("groups")
      .values({ ...GROUP, name: "a\0b" })
      .execute();
    if (dialect === "postgres") {
      await assert.rejects(written, { code: "22021", message: 'invalid byte sequence for encoding "UTF8": 0x00' });
      return;
    }
    await written;
    assert.deepEqual(await databases.main.selectFrom("groups").select("name").execute(), [{ name: "a\0b" }]);
  });
});

describe("toStoredValue", () => {
  it("rejects values that a database would store differently", () => {
    for (const value of [
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      new Date(0),
      new Map(),
      Symbol("s"),
      () => 0,
    ]) {
      assert.throws(() => toStoredValue(value), TypeError);
    }
  });

  it("writes JSON only for plain objects and arrays", () => {
    assert.equal(toStoredValue({ a: [1, null] }), '{"a":[1,null]}');
    assert.equal(toStoredValue([]), "[]");
    assert.equal(toStoredValue("[]"), "[]");
    assert.equal(toStoredValue(5n), 5n);
  });
});

async function openMain(open: OpenTestDatabase): Promise<MainDb> {
  return (await open()).databases.main;
}

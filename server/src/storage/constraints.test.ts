import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { Refusal } from "#lib/errors";
import { createLogger } from "#lib/logger";
import { forEachDatabase, openTestSqlite } from "#test/databases";
import { constraintName, isDatabaseAway, refusalFor, SQLITE_INDEXES } from "./constraints.ts";
import { openDatabases } from "./open-databases.ts";

const GROUP = {
  id: "grp_1",
  name: "A",
  name_key: "a",
  auto_assign_users: false,
  auto_assign_mcps: false,
  show_draft_mcps: false,
  created_at: 0,
  updated_at: 0,
};
const TOOL = {
  server_id: "srv_1",
  title: "",
  description: "",
  definition: "{}",
  position: 0,
  created_at: 0,
  updated_at: 0,
};

forEachDatabase("constraints", (open) => {
  it("identifies a unique index by name, a primary key as <table>_pkey, and other constraints not at all", async () => {
    const { main } = (await open()).databases;
    const constraintOf = (work: Promise<unknown>) => work.then(() => "no error", constraintName);
    await main.insertInto("groups").values(GROUP).execute();
    await sql`INSERT INTO mcp_servers (id, slug, name, description, search_text, status, auth_type, auth_settings, is_local, eras, created_at, updated_at)
      VALUES ('srv_1', 's', '', '', '', '', '', '{}', FALSE, '[]', 0, 0)`.execute(main);
    await main
      .insertInto("server_tools")
      .values({ ...TOOL, upstream_name: "a", slug: "x", enabled: true })
      .execute();
    const sameSlug = main.insertInto("server_tools").values({ ...TOOL, upstream_name: "b", slug: "x", enabled: true });
    const sameTool = main.insertInto("server_tools").values({ ...TOOL, upstream_name: "a", slug: "y", enabled: true });
    assert.equal(
      await constraintOf(
        main
          .insertInto("groups")
          .values({ ...GROUP, id: "grp_2" })
          .execute(),
      ),
      "groups_name_key",
    );
    assert.equal(
      await constraintOf(
        main
          .insertInto("groups")
          .values({ ...GROUP, name_key: "b" })
          .execute(),
      ),
      "groups_pkey",
    );
    assert.equal(await constraintOf(sameSlug.execute()), "server_tools_slug_key");
    assert.equal(await constraintOf(sameTool.execute()), "server_tools_pkey");
    const stranger = main.insertInto("group_users").values({ group_id: GROUP.id, user_id: "none" });
    assert.equal(await constraintOf(stranger.execute()), undefined);
    assert.equal(await constraintOf(sql`SELECT nothing`.execute(main)), undefined);
  });

  it("reports a taken group name with the message of the contract, even outside a transaction", async () => {
    const { main } = (await open()).databases;
    await main.insertInto("groups").values(GROUP).execute();
    const again = main.transaction().execute((db) =>
      db
        .insertInto("groups")
        .values({ ...GROUP, id: "grp_2" })
        .execute(),
    );
    const refusal = await again.then(() => undefined, refusalFor);
    assert.ok(refusal instanceof Refusal);
    assert.deepEqual([refusal.kind, refusal.message], ["invalid", "name: group with this name already exists"]);
  });
});

describe("constraints", () => {
  it("maps the columns that SQLite reports for every unique index of the migrations", async () => {
    const { databases, close } = await openTestSqlite();
    const known = new Map(Object.entries(SQLITE_INDEXES));
    const found = new Map<string, string>();
    for (const db of [databases.main, databases.calls]) {
      const { rows } = await sql<{ table: string; index: string; column: string }>`
        SELECT m.name AS "table", l.name AS "index", i.name AS "column"
        FROM sqlite_schema m, pragma_index_list(m.name) l, pragma_index_info(l.name) i
        WHERE l."unique" = 1 AND l.origin = 'c' ORDER BY l.name, i.seqno`.execute(db);
      for (const [index, columns] of Map.groupBy(rows, (row) => row.index)) {
        found.set(columns.map(({ table, column }) => `${table}.${column}`).join(", "), index);
      }
    }
    await close();
    assert.deepEqual([...known].sort(), [...found].sort());
  });

  it("treats only errors that a retry may fix as an unavailable database", () => {
    const withCode = (code: string) => Object.assign(new Error("failed"), { code });
    for (const code of ["08006", "57P01", "57P03", "53300", "57014", "25P03", "25006", "ECONNREFUSED", "ECONNRESET"]) {
      assert.equal(isDatabaseAway(withCode(code)), true, code);
    }
    assert.equal(isDatabaseAway(new Error("timeout exceeded when trying to connect")), true);
    assert.equal(isDatabaseAway(new Error("Connection terminated unexpectedly")), true);
    for (const code of ["23505", "42P01", "22021", "ENOENT"]) assert.equal(isDatabaseAway(withCode(code)), false, code);
    assert.equal(isDatabaseAway(undefined), false);
  });

  for (const address of ["127.0.0.1:1/none", "/none?host=/no/such/directory"]) {
    it(`treats a Postgres that does not listen at ${address} as unavailable`, async () => {
      const databases = await openDatabases({
        dataDir: ".",
        databaseUrl: `postgres://unknown:x@${address}`,
        logger: createLogger("silent"),
      });
      const error = await databases.main
        .selectFrom("groups")
        .selectAll()
        .execute()
        .catch((cause: unknown) => cause);
      await databases.close();
      assert.equal(isDatabaseAway(error), true);
    });
  }
});

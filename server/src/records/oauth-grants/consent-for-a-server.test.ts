import assert from "node:assert/strict";
import { before, it } from "node:test";
import { sql } from "kysely";
import type { MainDb } from "#storage/database";
import { readMigrations } from "#storage/migrate";
import { forEachDatabase } from "#test/databases";
import { serverRow, userRow } from "#test/example-replica";

const MIGRATION = "main/0032-consent-for-a-server";
const GRANT = { user_id: "usr_a", client_id: "c", client_name: "C", redirect_uri: "https://c.example/" };
const TIMES = { created_at: 1, last_used_at: 1, expires_at: 2 };
const TOKEN = {
  kind: "oauth" as const,
  user_id: "usr_a",
  verifier: Buffer.from("v"),
  pepper_version: 1,
  sealed_secret: null,
  previous_verifier: null,
  previous_pepper_version: null,
  previous_expires_at: null,
  scopes: null,
  toolkit: null,
  actor: null,
  expires_at: 2,
  revoked_at: null,
  created_at: 1,
};

/** AZ-7: rows of earlier releases know only a slug. */
forEachDatabase("consent and tokens of earlier releases", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
    await sql`DROP INDEX oauth_grants_server_id`.execute(db);
    for (const table of ["oauth_grants", "credentials"]) {
      await sql`ALTER TABLE ${sql.table(table)} DROP COLUMN server_id`.execute(db);
    }
    await db.insertInto("users").values(userRow("usr_a")).execute();
    await db.insertInto("mcp_servers").values(serverRow("srv_wiki", "wiki")).execute();
    for (const [id, resource_path] of [
      ["all", null],
      ["wiki", "/mcp/wiki"],
      ["gone", "/mcp/gone"],
    ] as const) {
      await db
        .insertInto("oauth_grants")
        .values({ ...GRANT, ...TIMES, id, resource_path })
        .execute();
      await db
        .insertInto("credentials")
        .values({ ...TOKEN, id, access_key: id, resource_path })
        .execute();
    }
  });

  it("belong to the server that has the slug when the migration runs", async () => {
    const migration = (await readMigrations("main")).find(({ name }) => name === MIGRATION);
    assert.ok(migration);
    for (const statement of migration.statements) await sql.raw(statement).execute(db);
    for (const table of ["oauth_grants", "credentials"] as const) {
      const rows = await db.selectFrom(table).select(["id", "server_id"]).orderBy("id").execute();
      assert.deepEqual(
        rows.map(({ id, server_id }) => [id, server_id]),
        [
          ["all", null],
          ["gone", null],
          ["wiki", "srv_wiki"],
        ],
        table,
      );
    }
  });
});

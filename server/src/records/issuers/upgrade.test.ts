import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { readMigrations } from "#storage/migrate";
import { forEachDatabase } from "#test/databases";
import { userRow } from "#test/example-replica";

forEachDatabase("the migration that adds responsible persons", (open) => {
  it("attributes existing tokens and invitations with the audit log", async () => {
    const db = (await open()).databases.main;
    await db.insertInto("users").values(["usr_a", "usr_b", "usr_c"].map(userRow)).execute();
    const creators = { tok_1: "tok_0", tok_2: "usr_a", tok_3: "tok_2", tok_4: "tok_3", tok_5: "usr_gone" };
    const token = { name: "t", prefix: null, scopes: ["all"], expires_at: null, last_used_at: null, created_by: null };
    for (const id of ["tok_0", ...Object.keys(creators)]) {
      await db
        .insertInto("api_tokens")
        .values({ ...token, id, token_hash: id, created_at: 0 })
        .execute();
    }
    for (const [id, actor] of Object.entries(creators)) {
      await db
        .insertInto("audit")
        .values({
          ...{ id: `aud_${id}`, at: 0, actor_kind: "any", actor_id: actor, actor_name: "any", request_id: "r" },
          ...{ operation: "createApiToken", target_kind: "api-token", target_id: id, target_name: "t" },
          ...{ before: null, after: null },
        })
        .execute();
    }
    for (const [user_id, created_by] of [
      ["usr_a", "usr_b"],
      ["usr_b", "tok_4"],
      ["usr_c", "tok_1"],
    ] as const) {
      const invitation = { user_id, created_by, token_hash: user_id, created_at: 0, expires_at: 1, accepted_at: null };
      const unknown = { creator_name: null, resets_account: false, required_all: false, responsible_id: null };
      await db
        .insertInto("invitations")
        .values({ ...invitation, ...unknown })
        .execute();
    }
    const migration = (await readMigrations("main")).find(({ file }) => file.startsWith("0029-"));
    for (const statement of migration?.statements ?? []) {
      if (statement.startsWith("UPDATE")) await sql.raw(statement).execute(db);
    }
    const tokens = await db
      .selectFrom("api_tokens")
      .select(["id", "creator_id", "responsible_id"])
      .orderBy("id")
      .execute();
    assert.deepEqual(
      tokens.map((row) => [row.id, row.creator_id, row.responsible_id]),
      [
        ["tok_0", null, null],
        ["tok_1", "tok_0", null],
        ["tok_2", "usr_a", "usr_a"],
        ["tok_3", "tok_2", "usr_a"],
        ["tok_4", "tok_3", "usr_a"],
        ["tok_5", "usr_gone", "usr_gone"],
      ],
    );
    const invitations = await db.selectFrom("invitations").select(["responsible_id"]).orderBy("user_id").execute();
    assert.deepEqual(
      invitations.map((row) => row.responsible_id),
      ["usr_b", "usr_a", null],
    );
  });
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachDatabase, type OpenTestDatabase } from "#test/databases";
import type { MainDb } from "./database.ts";

const SETTING = { name: "a", value: {}, updated_at: 0 };

forEachDatabase("transactions and reads", (open) => {
  it("rolls back a transaction that throws", async () => {
    const main = await openMain(open);
    const failed = main.transaction().execute(async (transaction) => {
      await transaction.insertInto("settings").values(SETTING).execute();
      assert.equal((await transaction.selectFrom("settings").selectAll().execute()).length, 1);
      throw new Error("no");
    });
    await assert.rejects(failed, /^Error: no$/);
    assert.deepEqual(await main.selectFrom("settings").selectAll().execute(), []);
    await main.insertInto("settings").values(SETTING).execute();
  });

  it("loses no update in 50 concurrent transactions that read and then write", async () => {
    const main = await openMain(open);
    const step = () =>
      main.transaction().execute(async (transaction) => {
        await transaction
          .updateTable("change_counter")
          .set((eb) => ({ revision: eb("revision", "+", 1) }))
          .execute();
        const { revision } = await transaction
          .selectFrom("change_counter")
          .select("revision")
          .executeTakeFirstOrThrow();
        await transaction.insertInto("changes").values({ revision, kind: "user", target_id: "x" }).execute();
      });
    await Promise.all(Array.from({ length: 50 }, step));
    assert.deepEqual(await main.selectFrom("change_counter").selectAll().execute(), [{ id: 1, revision: 50 }]);
    const revisions = await main.selectFrom("changes").select("revision").orderBy("revision").execute();
    assert.deepEqual(
      revisions.map(({ revision }) => revision),
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it("reads committed rows without waiting for an open write transaction", async () => {
    const main = await openMain(open);
    await main.transaction().execute(async (transaction) => {
      await transaction.insertInto("settings").values(SETTING).execute();
      assert.deepEqual(await main.selectFrom("settings").selectAll().execute(), []);
    });
    assert.equal((await main.selectFrom("settings").selectAll().execute()).length, 1);
  });

  it("stays usable after a rejected statement", async () => {
    const main = await openMain(open);
    await assert.rejects(main.insertInto("group_users").values({ group_id: "none", user_id: "none" }).execute());
    const failed = main.transaction().execute(async (transaction) => {
      await transaction.insertInto("settings").values([SETTING, SETTING]).execute();
    });
    await assert.rejects(failed);
    await main.insertInto("settings").values(SETTING).execute();
  });
});

async function openMain(open: OpenTestDatabase): Promise<MainDb> {
  return (await open()).databases.main;
}

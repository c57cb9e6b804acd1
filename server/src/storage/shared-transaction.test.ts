import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { constraintName } from "./constraints.ts";
import type { MainDb, MainTransaction } from "./database.ts";
import { joinTransaction } from "./joined-transaction.ts";
import { shareTransaction } from "./shared-transaction.ts";

forEachDatabase("a transaction of another thread", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
  });
  const join = <Result>(work: (tx: MainTransaction) => Promise<Result>) =>
    db.transaction().execute((tx) => shareTransaction(tx, (shared) => joinTransaction(shared, work)));
  const insert = (tx: MainDb, name: string) =>
    tx
      .insertInto("settings")
      .values({ name, value: { name, list: [1] }, updated_at: 7 })
      .execute();
  const names = async () => (await db.selectFrom("settings").select("name").execute()).map(({ name }) => name);

  it("reads what it wrote, with the types of the columns, and commits with the transaction", async () => {
    const row = await join(async (tx) => {
      await insert(tx, "joined");
      return tx.selectFrom("settings").selectAll().where("name", "=", "joined").executeTakeFirst();
    });
    assert.deepEqual(row, { name: "joined", value: { name: "joined", list: [1] }, updated_at: 7 });
    assert.ok((await names()).includes("joined"));
  });

  it("stores nothing if its work fails", async () => {
    const work = join(async (tx) => {
      await insert(tx, "undone");
      throw new Error("no");
    });
    await assert.rejects(work, /^Error: no$/);
    assert.equal((await names()).includes("undone"), false);
  });

  it("reports a violated constraint as the transaction itself does", async () => {
    const twice = join(async (tx) => {
      await insert(tx, "twice");
      await insert(tx, "twice");
    });
    await assert.rejects(twice, (error) => constraintName(error) === "settings_pkey");
  });

  it("runs no statement after the transaction has ended", async () => {
    let late: Promise<unknown> = Promise.resolve();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    await db.transaction().execute((tx) =>
      shareTransaction(tx, async (shared) => {
        late = joinTransaction(shared, async (joined) => {
          await ended;
          await insert(joined, "late");
        });
      }),
    );
    end();
    await assert.rejects(late, /The transaction has ended/);
    assert.equal((await names()).includes("late"), false);
  });
});

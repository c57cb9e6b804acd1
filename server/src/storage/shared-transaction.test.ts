import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { constraintName } from "./constraints.ts";
import type { MainDb, MainTransaction } from "./database.ts";
import { joinTransaction } from "./joined-transaction.ts";
import { type SharedTransaction, shareTransaction } from "./shared-transaction.ts";
import type { SqliteHost } from "./sqlite-thread.ts";
import { type Connection, hostFile } from "./sqlite-worker.ts";

/** Opens the file in this thread, like the thread for reports does in its own. */
class HostHere implements SqliteHost {
  #connection: Connection | undefined;

  openFile(file: Parameters<typeof hostFile>[0]): void {
    this.#connection = hostFile(file);
  }

  join<Result>(shared: SharedTransaction, work: (tx: MainTransaction) => Promise<Result>): Promise<Result> {
    return joinTransaction(shared, this.#connection, work);
  }
}

forEachDatabase("a transaction of another thread", (open) => {
  const host = new HostHere();
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.mainIn(host);
  });
  const join = <Result>(work: (tx: MainTransaction) => Promise<Result>) =>
    db.transaction().execute((tx) => shareTransaction(tx, (shared) => host.join(shared, work)));
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
        late = host.join(shared, async (joined) => {
          await ended;
          await insert(joined, "late");
        });
      }),
    );
    // Nor in the next transaction of the same connection.
    await db.transaction().execute(async () => {
      end();
      await assert.rejects(late, /The transaction has ended/);
    });
    assert.equal((await names()).includes("late"), false);
  });
});

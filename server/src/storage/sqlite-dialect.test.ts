import assert from "node:assert/strict";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Worker } from "node:worker_threads";
import { CompiledQuery, Kysely, sql } from "kysely";
import { makeDataDir } from "#test/databases";
import { isDatabaseAway } from "./constraints.ts";
import { SqliteThreadDialect } from "./sqlite-dialect.ts";
import { SqliteError, SqliteThread, SqliteThreadGone } from "./sqlite-thread.ts";

interface Tables {
  notes: { id: number; text: string };
}

describe("SQLite in its worker thread", () => {
  let directory: string;
  let opened = 0;
  const threads: SqliteThread[] = [];
  before(async () => {
    directory = await makeDataDir();
  });
  after(async () => {
    for (const thread of threads) await thread.close();
    await rm(directory, { recursive: true });
  });

  async function openThread(path = join(directory, `${opened++}.db`)): Promise<SqliteThread> {
    const thread = await SqliteThread.open(path, "process-crash");
    threads.push(thread);
    await thread.run("write", "CREATE TABLE IF NOT EXISTS notes (id BIGINT PRIMARY KEY, text TEXT)");
    return thread;
  }

  it("rolls back a transaction whose connection is released without an end, and lets the next writer in", async () => {
    const thread = await openThread();
    const dialect = new SqliteThreadDialect({ thread });
    const driver = dialect.createDriver();
    const connection = await driver.acquireConnection();
    await driver.beginTransaction(connection, {});
    await connection.executeQuery(CompiledQuery.raw("INSERT INTO notes (id) VALUES (1)"));
    await driver.releaseConnection(connection);
    const next = await driver.acquireConnection();
    await next.executeQuery(CompiledQuery.raw("INSERT INTO notes (id) VALUES (2)"));
    assert.deepEqual((await thread.run("read", "SELECT id FROM notes")).rows, [[2]]);
  });

  it("lets writers in in the order of their requests", async () => {
    const db = new Kysely<Tables>({ dialect: new SqliteThreadDialect({ thread: await openThread() }) });
    const entered: number[] = [];
    const ids = Array.from({ length: 20 }, (_, id) => id);
    const write = (id: number) =>
      id % 2 === 0
        ? db
            .insertInto("notes")
            .values({ id, text: "" })
            .execute()
            .then(() => entered.push(id))
        : db.transaction().execute(async () => entered.push(id));
    await Promise.all(ids.map(write));
    assert.deepEqual(entered, ids);
  });

  it("lets the next transaction in after one that cannot begin", async () => {
    const thread = await openThread();
    const db = new Kysely<Tables>({ dialect: new SqliteThreadDialect({ thread }) });
    await thread.run("write", "BEGIN");
    await assert.rejects(
      db.transaction().execute(async () => {}),
      /cannot start a transaction within a transaction/,
    );
    await thread.run("write", "ROLLBACK");
    await db
      .transaction()
      .execute((transaction) => transaction.insertInto("notes").values({ id: 1, text: "" }).execute());
  });

  it("holds the write lock of the file from the beginning of a transaction, so that it cannot fail halfway", async () => {
    const path = join(directory, "contended.db");
    const [ours, theirs] = [await openThread(path), await openThread(path)];
    await theirs.run("write", "PRAGMA busy_timeout = 0");
    const write = () => theirs.run("write", "INSERT INTO notes (id) VALUES (1)");
    const db = new Kysely<Tables>({ dialect: new SqliteThreadDialect({ thread: ours }) });
    await db.transaction().execute(async () => {
      const error = await write().catch((cause: unknown) => cause);
      assert.ok(error instanceof SqliteError && error.errcode === 5 && isDatabaseAway(error));
    });
    await write();
  });

  it("leaves the files behind without which SQLite could not open the database on a full disk", async () => {
    const path = join(directory, "closed.db");
    const thread = await openThread(path);
    await thread.run("write", "INSERT INTO notes (id) VALUES (1)");
    await thread.close();
    const sizes = await Promise.all(["-wal", "-shm"].map(async (suffix) => (await stat(`${path}${suffix}`)).size));
    assert.deepEqual(sizes, [0, 32_768]);
  });

  it("accepts a ROLLBACK after SQLite has rolled back automatically", async () => {
    const thread = await openThread();
    await thread.run("write", "ROLLBACK");
  });

  it("rejects writes on the read connection", async () => {
    const thread = await openThread();
    await assert.rejects(thread.run("read", "INSERT INTO notes (id) VALUES (1)"), { errcode: 8 });
  });

  it("returns a column that another process added to a * under its own name", async () => {
    const path = join(directory, "shared.db");
    const [ours, theirs] = [await openThread(path), await openThread(path)];
    await ours.run("write", "INSERT INTO notes (id, text) VALUES (1, 'a')");
    const db = new Kysely<Tables>({ dialect: new SqliteThreadDialect({ thread: ours }) });
    const query = db.selectFrom("notes as a").innerJoin("notes as b", "a.id", "b.id").selectAll();
    assert.deepEqual(await query.execute(), [{ id: 1, text: "a" }]);
    await theirs.run("write", "ALTER TABLE notes ADD COLUMN extra BOOLEAN NOT NULL DEFAULT TRUE");
    assert.deepEqual(await query.execute(), [{ id: 1, text: "a", extra: true }]);
  });

  it("reports SQLite errors with their result code", async () => {
    const thread = await openThread();
    const error: unknown = await thread.run("write", "INSERT INTO nowhere VALUES (1)").catch((cause) => cause);
    assert.ok(error instanceof SqliteError);
    assert.deepEqual([error.code, error.errcode, error.message], ["ERR_SQLITE_ERROR", 1, "no such table: nowhere"]);
    assert.equal(isDatabaseAway(error), false);
  });

  it("names a file that is not a database", async () => {
    await assert.rejects(
      SqliteThread.open(join(directory, "absent", "x.db"), "process-crash"),
      /Cannot open the database .*x\.db/,
    );
  });

  it("rejects pending and later requests when the thread dies", async () => {
    const started = Promise.withResolvers<Worker>();
    process.once("worker", started.resolve);
    const thread = await openThread();
    const slow =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT count(*) FROM n";
    const asked = Array.from({ length: 1_000 }, () => thread.run("read", slow));
    const [outcomes] = await Promise.all([Promise.allSettled(asked), (await started.promise).terminate()]);
    const last = outcomes.at(-1);
    assert.ok(last?.status === "rejected" && last.reason instanceof SqliteThreadGone && isDatabaseAway(last.reason));
    await assert.rejects(thread.run("read", "SELECT 1"), { message: "The database thread has ended" });
    const db = new Kysely<Tables>({ dialect: new SqliteThreadDialect({ thread }) });
    await assert.rejects(
      db.transaction().execute(async () => {}),
      SqliteThreadGone,
    );
    await assert.rejects(sql`SELECT 1`.execute(db), SqliteThreadGone);
    await thread.close();
  });

  it("finishes earlier requests on close, and rejects later ones", async () => {
    const thread = await openThread();
    const asked = thread.run("write", "INSERT INTO notes (id) VALUES (1)");
    const closed = thread.close();
    await assert.rejects(thread.run("read", "SELECT 1"), { message: "The database is closed" });
    assert.equal((await asked).changes, 1);
    await closed;
    await thread.close();
  });
});

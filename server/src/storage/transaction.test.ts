import assert from "node:assert/strict";
import { before, it } from "node:test";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { systemRandom } from "#lib/random";
import { forEachDatabase } from "#test/databases";
import type { MainDb } from "./database.ts";
import { lockRows } from "./lock-rows.ts";
import { writeTransaction } from "./transaction.ts";

const author = { actor: { kind: "api-token", id: "tok_1", name: "ci" }, requestId: "req_1" } as const;
const audit = { operation: "createGroup", target: { kind: "group", id: "grp_1", name: "ops" } };

forEachDatabase("a write", (open, dialect) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
  });
  const write = <Result>(work: Parameters<typeof writeTransaction<Result>>[2]) =>
    writeTransaction({ db, clock: systemClock, newId: createIds(systemClock, systemRandom) }, author, work);
  const setting = (name: string) => ({ name, value: {}, updated_at: 0 });

  it("stores its rows, its audit row and its changes together, each change once", async () => {
    const { result, revision } = await write(async (tx, trail) => {
      await tx.insertInto("settings").values(setting("together")).execute();
      trail.changed("group", "grp_1", "grp_2", "grp_1");
      trail.audit({ ...audit, after: { name: "ops" } });
      return "done";
    });
    assert.equal(result, "done");
    const changes = await db
      .selectFrom("changes")
      .selectAll()
      .where("revision", "=", revision ?? -1)
      .execute();
    assert.deepEqual(changes.map((change) => change.target_id).sort(), ["grp_1", "grp_2"]);
    const [row] = await db.selectFrom("audit").selectAll().execute();
    assert.deepEqual(
      [row?.actor_kind, row?.actor_id, row?.operation, row?.target_id, row?.before, row?.after, row?.request_id],
      ["api-token", "tok_1", "createGroup", "grp_1", null, { name: "ops" }, "req_1"],
    );
  });

  it("has no revision if it does not concern the gateway", async () => {
    const before = await db.selectFrom("change_counter").selectAll().execute();
    const { revision } = await write(async (_tx, trail) => trail.audit(audit));
    assert.equal(revision, undefined);
    assert.deepEqual(await db.selectFrom("change_counter").selectAll().execute(), before);
  });

  it("leaves nothing if it fails, neither audit row nor revision", async () => {
    const look = async () => [
      await db.selectFrom("change_counter").selectAll().execute(),
      await db.selectFrom("audit").select("id").execute(),
      await db.selectFrom("settings").select("name").execute(),
    ];
    const before = await look();
    const failed = write(async (tx, trail) => {
      await tx.insertInto("settings").values(setting("lost")).execute();
      trail.changed("group", "grp_9");
      trail.audit(audit);
      throw new Error("refused");
    });
    await assert.rejects(failed, /^Error: refused$/);
    assert.deepEqual(await look(), before);
  });

  it("stores thousands of changes under one revision", async () => {
    const ids = Array.from({ length: 1_201 }, (_, i) => `usr_${i}`);
    const { revision } = await write(async (_tx, trail) => trail.changed("user", ...ids));
    const changes = await db
      .selectFrom("changes")
      .selectAll()
      .where("revision", "=", revision ?? -1)
      .execute();
    assert.equal(changes.length, ids.length);
  });

  it("runs again when a concurrent write took its idempotency key, and fails after several attempts", async () => {
    const kept = {
      actor_id: "tok_1",
      key_hash: "h",
      operation: "o",
      request_hash: "r",
      status: 201,
      answer: "{}",
      created_at: 0,
    };
    await db.insertInto("idempotency").values(kept).execute();
    let attempts = 0;
    const { result } = await write(async (tx) => {
      if (++attempts < 3) await tx.insertInto("idempotency").values(kept).execute();
      return attempts;
    });
    assert.equal(result, 3);
    attempts = 0;
    const stubborn = write(async (tx) => {
      attempts++;
      await tx.insertInto("idempotency").values(kept).execute();
    });
    await assert.rejects(stubborn);
    assert.equal(attempts, 6);
  });

  it("does not run again when it violates another constraint", async () => {
    let attempts = 0;
    const failed = write(async (tx) => {
      attempts++;
      await tx
        .insertInto("settings")
        .values([setting("twice"), setting("twice")])
        .execute();
    });
    await assert.rejects(failed);
    assert.equal(attempts, 1);
  });

  it("is never overtaken after it has read and locked a row", async () => {
    await db
      .insertInto("settings")
      .values({ ...setting("counter"), value: { n: 0 } })
      .execute();
    const step = () =>
      write(async (tx) => {
        const row = await lockRows(
          tx,
          tx.selectFrom("settings").selectAll().where("name", "=", "counter"),
        ).executeTakeFirstOrThrow();
        const { n } = row.value as { n: number };
        await tx
          .updateTable("settings")
          .set({ value: { n: n + 1 } })
          .where("name", "=", "counter")
          .execute();
      });
    await Promise.all(Array.from({ length: 20 }, step));
    const { value } = await db
      .selectFrom("settings")
      .selectAll()
      .where("name", "=", "counter")
      .executeTakeFirstOrThrow();
    assert.deepEqual(value, { n: 20 });
  });

  // SQLite runs writers one after another, so they cannot deadlock.
  if (dialect === "postgres") {
    it("runs again after a deadlock, so that both writes succeed", async () => {
      await db
        .insertInto("settings")
        .values([setting("left"), setting("right")])
        .execute();
      const bothHoldOne = Promise.withResolvers<void>();
      let attempts = 0;
      const touch = (first: string, second: string) =>
        write(async (tx) => {
          await tx.updateTable("settings").set({ updated_at: 1 }).where("name", "=", first).execute();
          if (++attempts === 2) bothHoldOne.resolve();
          await bothHoldOne.promise;
          await tx.updateTable("settings").set({ updated_at: 1 }).where("name", "=", second).execute();
        });
      await Promise.all([touch("left", "right"), touch("right", "left")]);
      assert.ok(attempts >= 3, "one of them ran again; on a slow machine there may be several deadlocks");
    });
  }
});

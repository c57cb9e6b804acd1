import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { sql } from "kysely";
import { forgetAuditJob, verifyAuditJob } from "#jobs/audit-chain";
import { chainUnchained, GENESIS_HASH } from "#storage/audit-chain";
import type { MainDb } from "#storage/database";
import { auditLog } from "#test/audit-log";
import { type TestClock, testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { type Checkpoint, lastCheckpoint, presentCheckpoint, readChainState, verifyChain } from "./index.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

forEachDatabase("the hash chain of the audit log", (open, dialect) => {
  let db: MainDb;
  let clock: TestClock;
  let log: ReturnType<typeof auditLog>;
  beforeEach(async () => {
    db = (await open()).databases.main;
    clock = testClock();
    log = auditLog(db, clock);
  });
  const verify = (...shipped: Checkpoint[]) => verifyChain(db, log.vault, { shipped });
  const rows = () => db.selectFrom("audit").selectAll().orderBy("seq").execute();
  const runVerification = () => verifyAuditJob(log).run();
  const shippedCheckpoint = async () => {
    const row = await lastCheckpoint(db);
    assert.ok(row);
    return presentCheckpoint(log.vault, row);
  };

  it("verifies entries of several writes, with any text", async () => {
    for (let n = 0; n < 5; n++) await log.write(n, 3);
    const { problem, entries, last, firstSeq } = await verify();
    assert.deepEqual([problem, entries, last.seq, firstSeq], [null, 15, 15, 1]);
  });

  it("names the row when any byte of any column of any row changes (API-21)", async () => {
    for (let n = 0; n < 3; n++) await log.write(n);
    const text = ["actor_kind", "actor_id", "actor_name", "operation", "target_kind", "target_id", "target_name"];
    const replaced = Object.fromEntries([...text, "request_id", "ip", "hash"].map((name) => [name, `${name}`]));
    const changes: Record<string, string | number | null> = { ...replaced, at: 1, id: "aud_other", seq: 77 };
    for (const { id, seq } of await rows()) {
      for (const [column, value] of Object.entries(changes)) {
        const [before] = (
          await sql<{ v: unknown }>`select ${sql.ref(column)} as v from audit where id = ${id}`.execute(db)
        ).rows;
        const now = column === "id" ? value : id;
        await sql`update audit set ${sql.ref(column)} = ${value} where id = ${id}`.execute(db);
        const { problem } = await verify();
        assert.deepEqual([problem?.seq, problem?.id], [seq, now], `${column} of ${id}: ${problem?.message}`);
        await sql`update audit set ${sql.ref(column)} = ${before?.v} where id = ${now}`.execute(db);
      }
      // White space, which parsing would hide, and null.
      const json = dialect === "postgres" ? sql`cast(cast(after as text) || ' ' as json)` : sql`after || ' '`;
      for (const [column, value] of [
        ["after", json],
        ["before", sql`null`],
        ["ip", sql`null`],
      ] as const) {
        const [before] = (
          await sql<{ v: string }>`select cast(${sql.ref(column)} as text) as v from audit where id = ${id}`.execute(db)
        ).rows;
        await sql`update audit set ${sql.ref(column)} = ${value} where id = ${id}`.execute(db);
        assert.deepEqual([(await verify()).problem?.id, (await verify()).problem?.reason], [id, "changed"], column);
        await sql`update audit set ${sql.ref(column)} = ${before?.v} where id = ${id}`.execute(db);
      }
      assert.equal((await verify()).problem, null);
    }
  });

  it("reports deleted, inserted and rewritten entries", async () => {
    for (let n = 0; n < 6; n++) await log.write(n);
    await runVerification();
    const all = await rows();
    await db.deleteFrom("audit").where("seq", "in", [3, 4]).execute();
    assert.equal((await verify()).problem?.message, "Entries 3 to 4 are missing.");
    await db.insertInto("audit").values(all.slice(2, 4)).execute();
    assert.equal((await verify()).problem, null);
    await db
      .insertInto("audit")
      .values({ ...all[0], id: "aud_forged", seq: 7 } as never)
      .execute();
    assert.deepEqual((await verify()).problem?.reason, "unexpected");
    await db.deleteFrom("audit").where("id", "=", "aud_forged").execute();
    // Somebody who changes an entry and recomputes all hashes is found with the signed checkpoint.
    await db.updateTable("audit").set({ actor_name: "Mallory" }).where("seq", "=", 2).execute();
    await db.updateTable("audit").set({ seq: null, hash: null }).execute();
    await db.updateTable("audit_chain").set({ seq: 0, hash: GENESIS_HASH }).execute();
    await db.transaction().execute(chainUnchained);
    assert.deepEqual([(await verify()).problem?.reason, (await verify()).problem?.seq], ["rewritten", 6]);
    await db
      .updateTable("audit_checkpoints")
      .set({ hash: String((await rows())[5]?.hash) })
      .execute();
    assert.equal((await verify()).problem?.reason, "checkpoint");
  });

  it("reports a truncated end: with the chain, with a checkpoint, and with a checkpoint that was stored elsewhere", async () => {
    for (let n = 0; n < 5; n++) await log.write(n);
    await runVerification();
    const shipped = await shippedCheckpoint();
    await log.write(6);
    assert.equal((await verify(shipped)).problem, null);
    await db.deleteFrom("audit").where("seq", ">", 3).execute();
    assert.match(String((await verify()).problem?.message), /truncated after entry 3: the chain has 6 entries/);
    const last = (await rows()).at(-1);
    await db
      .updateTable("audit_chain")
      .set({ seq: 3, hash: String(last?.hash) })
      .execute();
    assert.match(
      String((await verify()).problem?.message),
      /truncated after entry 3: a signed checkpoint covers entry 5/,
    );
    await db.deleteFrom("audit_checkpoints").execute();
    assert.equal((await verify()).problem, null);
    assert.match(String((await verify(shipped)).problem?.message), /entry 3: the given checkpoint covers entry 5/);
    await log.write(7);
    await log.write(8);
    assert.equal((await verify(shipped)).problem?.reason, "rewritten");
    assert.equal((await verify({ ...shipped, seq: 4 })).problem?.reason, "checkpoint");
    await log.write(9);
    // The daily verification starts at the first entry, so it accepts and signs the log as it is now.
    clock.advance(DAY_MS);
    await runVerification();
    const newest = await shippedCheckpoint();
    assert.equal((await verify(newest)).problem, null, "the log has grown beyond the old checkpoint");
    assert.deepEqual((await verify(newest, shipped)).problem?.seq, 5);
  });

  it("reports that the position of the last entry was deleted", async () => {
    await log.write(1);
    await db.deleteFrom("audit_chain").execute();
    const { problem } = await verify();
    assert.deepEqual([problem?.reason, problem?.id], ["missing", null]);
    assert.match(String(problem?.message), /^The position and hash of the last entry.* were deleted\.$/);
  });

  it("stays verifiable when retention deletes entries, and reports entries deleted without a cut", async () => {
    for (let n = 0; n < 4; n++) await log.write(n);
    await runVerification();
    const shipped = await shippedCheckpoint();
    clock.advance(366 * DAY_MS);
    for (let n = 4; n < 8; n++) await log.write(n);
    await forgetAuditJob(log, { rowsPerSlice: 3, slicesPerTurn: 5 }).run();
    assert.deepEqual(
      (await rows()).map(({ seq }) => seq),
      [5, 6, 7, 8],
    );
    const { problem, firstSeq } = await verify(shipped);
    assert.deepEqual([problem, firstSeq], [null, 5]);
    await runVerification();
    assert.equal((await readChainState(db)).problem, null);
    await db.deleteFrom("audit").where("seq", "<=", 6).execute();
    assert.equal((await verify()).problem?.message, "Entries 5 to 6 are missing.");
    // A forged cut does not hide them.
    const cut = await db
      .selectFrom("audit_checkpoints")
      .selectAll()
      .where("kind", "=", "cut")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("audit_checkpoints")
      .values({ ...cut, id: "ckp_forged", seq: 6 })
      .execute();
    assert.equal((await verify()).problem?.message, "Entries 5 to 6 are missing.");
  });

  it("does not let an entry from the future stop retention", async () => {
    clock.advance(1_000 * DAY_MS);
    await log.write(0);
    clock.advance(-1_000 * DAY_MS);
    await log.write(1);
    clock.advance(400 * DAY_MS);
    await log.write(2);
    await forgetAuditJob(log).run();
    assert.deepEqual(
      (await rows()).map(({ seq }) => seq),
      [3],
    );
    assert.equal((await verify()).problem, null);
  });

  it("has one order while writers run concurrently", async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => log.write(n, 1 + (n % 3))));
    const { problem, entries } = await verify();
    assert.deepEqual([problem, entries], [null, 79]);
  });

  it("keeps a failed write out of the chain", async () => {
    await log.write(1);
    const { writeTransaction } = await import("#storage/transaction");
    const author = { actor: { kind: "system", id: "s", name: "s" }, requestId: "r" } as const;
    const failed = writeTransaction(log.context, author, async (_tx, trail) => {
      trail.audit({ operation: "x", target: { kind: "k", id: "i", name: "n" } });
      trail.changed("group", null as unknown as string);
    });
    await assert.rejects(failed);
    await log.write(2);
    assert.deepEqual([(await verify()).problem, (await verify()).entries], [null, 2]);
  });

  it("chains entries of an earlier release in the order of their time", async () => {
    const [first] = await log.write(1).then(rows);
    assert.ok(first);
    const unchained = ["b", "a"].map((name, n) => ({ ...first, id: `aud_${name}`, at: 10 - n, seq: null, hash: null }));
    await db.insertInto("audit").values(unchained).execute();
    await runVerification();
    assert.deepEqual(
      (await rows()).map(({ id }) => id),
      [first.id, "aud_a", "aud_b"],
    );
    assert.equal((await verify()).problem, null);
  });

  it("records a problem once, as a security alert, and forgets it when the log is repaired", async () => {
    for (let n = 0; n < 3; n++) await log.write(n);
    await runVerification();
    await db.updateTable("audit").set({ actor_name: "Mallory" }).where("seq", "=", 2).execute();
    clock.advance(DAY_MS);
    await runVerification();
    await runVerification();
    assert.equal((await readChainState(db)).problem?.seq, 2);
    const found = (await rows()).filter(({ operation }) => operation === "auditProblemFound");
    assert.equal(found.length, 1);
    await db.updateTable("audit").set({ actor_name: 'Ada "L" 🚪' }).where("seq", "=", 2).execute();
    await runVerification();
    const state = await readChainState(db);
    assert.deepEqual([state.problem, state.seq], [null, 4]);
  });
});

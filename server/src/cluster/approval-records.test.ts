import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import type { ApprovalRecords, CallToApprove } from "#gateway/ports";
import { expireApprovalsJob } from "#jobs/expire-approvals";
import { retentionJobs } from "#jobs/retention";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { decideApproval, lockApproval } from "#records/approvals";
import type { ApprovalRow } from "#storage/approval-tables";
import type { Databases } from "#storage/database";
import { migrate } from "#storage/migrate";
import { openVault } from "#storage/open-vault";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import { KEY_ACTIVATION_DELAY_MS, type Vault } from "#storage/vault";
import { wrappingKey } from "#storage/wrapping-key";
import { type TestClock, testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { createApprovalRecords } from "./approval-records.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const AUTHOR = { actor: { kind: "system", id: "test", name: "Test" }, requestId: "test" } as const;

forEachDatabase("records of approvals", (open) => {
  let databases: Databases;
  let clock: TestClock;
  let vault: Vault;
  let context: WriteContext;
  let records: ApprovalRecords;

  before(async () => {
    ({ databases } = await open());
    clock = testClock();
    await migrate(databases, clock);
    const keys = [wrappingKey(Buffer.alloc(32, 7))];
    vault = await openVault(databases.main, keys, { clock, logger: createLogger("silent") });
    context = { db: databases.main, clock, newId: createIds(clock, systemRandom) };
    records = createApprovalRecords(context, vault);
  });
  beforeEach(() => databases.main.deleteFrom("approvals").execute());

  const call = (args: string, rest: Partial<CallToApprove> = {}): CallToApprove => ({
    ...{ requestId: "req_1", userId: "usr_1", userEmail: "ada@example.com", method: "tools/call", tool: "pay" },
    server: { id: "srv_1", slug: "bank", name: "Bank" },
    arguments: Buffer.from(args),
    guard: { slug: "money", name: "Payments", message: "", checks: ["Money"] },
    ...rest,
  });
  const pendingId = async (requested: CallToApprove) => {
    const state = await records.request(requested);
    assert.ok(state.kind === "pending", state.kind);
    return state.id;
  };
  const decide = (id: string, status: "approved" | "denied", note: string | null = null) =>
    writeTransaction(context, AUTHOR, async (tx, trail) => {
      const row = await lockApproval(tx, id);
      assert.ok(row);
      const now = clock.now();
      const decision = { status, note, decided_by: "Eve", decided_at: now, expires_at: now + HOUR_MS };
      await decideApproval(tx, trail, row, decision);
    });
  const row = async (id: string): Promise<ApprovalRow> =>
    databases.main.selectFrom("approvals").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  it("are for one user, one tool of one server, one method and exact arguments", async () => {
    const id = await pendingId(call('{"a":1}'));
    assert.equal(await pendingId(call('{"a":1}')), id);
    await decide(id, "approved");
    const others = [
      call('{"a":1 }'),
      call('{"a":1}', { userId: "usr_2" }),
      call('{"a":1}', { tool: "pa" }),
      call('{"a":1}', { method: "prompts/get" }),
      call('{"a":1}', { server: { id: "srv_2", slug: "bank", name: "Bank" } }),
      call('y{"a":1}', { tool: "pa" }),
    ];
    for (const other of others) assert.notEqual(await pendingId(other), id);
    assert.deepEqual(await records.request(call('{"a":1}')), { kind: "used", id });
    assert.notEqual(await pendingId(call('{"a":1}')), id);
  });

  it("are used once by concurrent calls, and created once", async () => {
    for (let round = 0; round < 5; round++) {
      const requested = call(`{"a":${round}}`, { userId: `usr_${round}` });
      const ids = await Promise.all(Array.from({ length: 8 }, () => pendingId(requested)));
      assert.equal(new Set(ids).size, 1);
      await decide(ids[0] ?? "", "approved");
      const states = await Promise.all(Array.from({ length: 8 }, () => records.request(requested)));
      assert.equal(states.filter(({ kind }) => kind === "used").length, 1);
    }
  });

  it("apply for an hour after the decision", async () => {
    const id = await pendingId(call("{}"));
    clock.advance(59 * 60_000);
    await decide(id, "approved");
    clock.advance(59 * 60_000);
    assert.equal((await records.decided([id])).get(id), "approved");
    clock.advance(60_000);
    assert.notEqual(await pendingId(call("{}")), id);
    assert.deepEqual(await records.use(id), { kind: "gone", id });
    const denied = await pendingId(call('{"b":1}'));
    await decide(denied, "denied", "No");
    assert.deepEqual(await records.request(call('{"b":1}')), { kind: "denied", id: denied, note: "No" });
    clock.advance(HOUR_MS);
    assert.notEqual(await pendingId(call('{"b":1}')), denied);
  });

  it("expire after an hour, also before the job runs", async () => {
    const [old, other] = [await pendingId(call("{}")), await pendingId(call('{"c":1}'))];
    clock.advance(HOUR_MS);
    const id = await pendingId(call("{}"));
    assert.notEqual(id, old);
    assert.equal((await row(old)).status, "expired");
    await expireApprovalsJob(context).run();
    assert.deepEqual([(await row(other)).status, (await row(id)).status], ["expired", "pending"]);
    assert.deepEqual((await records.decided([other])).get(other), { kind: "expired", id: other });
  });

  it("keep matching after a rotation of the data key", async () => {
    const id = await pendingId(call('{"d":1}'));
    await decide(id, "approved");
    const [{ digest }] = [await row(id)];
    vault.hold([{ purpose: "approval", version: 2, createdAt: clock.now(), key: Buffer.alloc(32, 9) }]);
    clock.advance(KEY_ACTIVATION_DELAY_MS);
    assert.deepEqual(await records.request(call('{"d":1}')), { kind: "used", id });
    assert.notEqual((await row(await pendingId(call('{"d":1}')))).digest, digest);
  });

  it("lose their arguments 30 days after the decision or expiry, and are deleted with the audit log", async () => {
    const [decided, expired] = [await pendingId(call('{"e":1}')), await pendingId(call('{"e":2}'))];
    await decide(decided, "denied");
    const run = async () => {
      await expireApprovalsJob(context).run();
      for (const job of retentionJobs({ databases, clock })) if (job.name.includes("approval")) await job.run();
    };
    clock.advance(30 * DAY_MS);
    await run();
    assert.ok((await row(decided)).sealed_arguments !== null);
    clock.advance(1);
    await run();
    assert.deepEqual(
      [(await row(decided)).sealed_arguments, (await row(expired)).sealed_arguments !== null],
      [null, true],
    );
    clock.advance(HOUR_MS);
    await run();
    assert.equal((await row(expired)).sealed_arguments, null);
    clock.advance(336 * DAY_MS);
    await run();
    assert.equal((await databases.main.selectFrom("approvals").selectAll().execute()).length, 0);
  });
});

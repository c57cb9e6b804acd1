import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { findPayload, insertPayloads, openPayload, trimPayloads } from "#records/call-payloads";
import type { Databases } from "#storage/database";
import { openVault } from "#storage/open-vault";
import type { Vault } from "#storage/vault";
import { wrappingKey } from "#storage/wrapping-key";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { retentionJobs } from "./retention.ts";
import { PayloadWriter } from "./store-payloads.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MIB = 1024 * 1024;
const logger = createLogger("silent");

forEachDatabase("call payloads", (open) => {
  let databases: Databases;
  let vault: Vault;
  const clock = testClock();
  beforeEach(async () => {
    databases = (await open()).databases;
    vault = await openVault(databases.main, [wrappingKey(Buffer.alloc(32, 7))], { clock: systemClock, logger });
  });
  const newWriter = (maxQueuedBytes?: number) =>
    new PayloadWriter({ db: databases.calls, vault, clock, logger, ...(maxQueuedBytes && { maxQueuedBytes }) });
  const carried = (requestId: string, capture: string, request: string, response = "{}") => {
    const parts = [Buffer.from(request), Buffer.from(response)] as const;
    return {
      requestId,
      at: 1,
      capture,
      request: [parts[0]],
      response: [parts[1].subarray(0, 1), parts[1].subarray(1)],
    };
  };
  const kept = async (requestId: string) => {
    const row = await findPayload(databases.calls, requestId);
    return row && openPayload(vault, row);
  };

  it("are stored unchanged up to a limit, or with secrets redacted", async () => {
    const payloads = newWriter();
    const exact = '{"n": 12345678901234567890,  "password":"x"}';
    payloads.add(carried("full", "full", exact, '{"é":1}'));
    payloads.add(carried("long", "full", `"${"é".repeat(MIB)}"`));
    payloads.add(carried("redacted", "redacted", exact, '{"result":{"text":"fine"}}'));
    payloads.add(carried("huge", "redacted", `"${"x".repeat(MIB)}"`));
    payloads.add(carried("broken", "redacted", "password=x"));
    await payloads.flush();
    const whole = (text: string) => ({ text, bytes: Buffer.byteLength(text), is_cut: false });
    assert.deepEqual(await kept("full"), { request: whole(exact), response: whole('{"é":1}') });
    const long = (await kept("long"))?.request;
    assert.deepEqual([long?.bytes, long?.is_cut], [2 * MIB + 2, true]);
    assert.match(long?.text ?? "", /^"é{32767}$/);
    const redacted = (await kept("redacted"))?.request;
    assert.match(redacted?.text ?? "", /"password":"\[redacted\]"/);
    assert.equal((await kept("redacted"))?.response.text, '{"result":{"text":"fine"}}');
    assert.deepEqual((await kept("huge"))?.request, { text: null, bytes: MIB + 2, is_cut: true });
    assert.equal((await kept("broken"))?.request.text, null);
  });

  it("can only be decrypted for their own call", async () => {
    const payloads = newWriter();
    payloads.add(carried("one", "full", "{}"));
    await payloads.flush();
    const row = await findPayload(databases.calls, "one");
    assert.ok(row);
    assert.throws(() => openPayload(vault, { ...row, id: "two" }));
  });

  it("wait for an unavailable database up to a limit; dropped payloads are counted", async () => {
    const payloads = newWriter(5);
    const { calls } = databases;
    await calls.schema.alterTable("call_payloads").renameTo("lost_payloads").execute();
    payloads.add(carried("first", "full", "[1]"));
    payloads.add(carried("second", "full", "[2]"));
    await payloads.flush();
    assert.equal(payloads.dropped, 1);
    await calls.schema.alterTable("lost_payloads").renameTo("call_payloads").execute();
    await payloads.flush();
    assert.equal((await kept("first"))?.request.text, "[1]");
    payloads.add(carried("third", "full", "[3]"));
    await payloads.flush();
    assert.equal((await kept("third"))?.request.text, "[3]");
  });

  it("are deleted by age, by total size, and immediately when capture is turned off", async () => {
    const now = clock.now();
    const row = (id: string, at: number, bytes = 1) => ({ id, at, bytes, capture: "full", sealed: "1.x" });
    const ids = async () =>
      (await databases.calls.selectFrom("call_payloads").select("id").orderBy("at").execute()).map(({ id }) => id);
    const [job] = retentionJobs({ databases, clock }).filter(({ name }) => name === "forget-payloads");
    await insertPayloads(databases.calls, [row("old", now - 7 * DAY_MS - 1), row("young", now - 7 * DAY_MS)]);
    await insertPayloads(databases.calls, [row("young", now)]);
    await job?.run();
    assert.deepEqual(await ids(), ["young"]);
    await insertPayloads(databases.calls, [row("a", now + 1, 300 * MIB), row("b", now + 2, 300 * MIB)]);
    await job?.run();
    assert.deepEqual(await ids(), ["b"]);
    assert.equal(await trimPayloads(databases.calls, 300 * MIB, 10), false);
    const value = { payload_capture: "off" };
    await databases.main.insertInto("settings").values({ name: "organization", value, updated_at: 1 }).execute();
    await job?.run();
    assert.deepEqual(await ids(), []);
  });
});

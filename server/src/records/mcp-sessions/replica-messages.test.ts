import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import type { MainDb } from "#storage/database";
import type { ReplicaMessagesRow } from "#storage/session-tables";
import { WriteTrail } from "#storage/transaction";
import { forEachDatabase } from "#test/databases";
import {
  deleteMailbox,
  deleteReplicaMessage,
  insertReplicaMessages,
  sessionsWithReplicaMessages,
  takeCancelledCalls,
  takeMail,
  takeReplicaMessages,
} from "./replica-messages.ts";
import { mcpSessionsByIds } from "./store.ts";

const NO_RECEIVER = { canAsk: false, hasStream: false, callIds: [] };
const ROW = { mcp_session_id: "session", kind: "question", call_id: null, created_at: 100_000 } as const;

forEachDatabase("messages between processes", (open) => {
  let db: MainDb;
  beforeEach(async () => {
    db = (await open()).databases.main;
  });
  async function pass(row: Partial<ReplicaMessagesRow> & Pick<ReplicaMessagesRow, "id">): Promise<WriteTrail> {
    const trail = new WriteTrail();
    const whole = { ...ROW, messages: row.id, ...row };
    await db.transaction().execute((tx) => insertReplicaMessages(tx, trail, whole));
    return trail;
  }

  it("are announced, and each is given to one process that can handle it", async () => {
    const { changes } = await pass({ id: "2" });
    assert.deepEqual(changes, [{ kind: "session", id: "session" }]);
    await pass({ id: "1" });
    await pass({ id: "3", kind: "stream" });
    await pass({ id: "4", kind: "call", call_id: "7" });
    await pass({ id: "5", kind: "call", call_id: "8" });
    assert.deepEqual(await sessionsWithReplicaMessages(db, ["session", "another"]), ["session"]);
    assert.deepEqual(await takeReplicaMessages(db, "another", { canAsk: true, hasStream: true, callIds: ["7"] }), []);
    assert.deepEqual(await takeReplicaMessages(db, "session", NO_RECEIVER), []);
    const both = await Promise.all(
      [1, 2].map(() => takeReplicaMessages(db, "session", { ...NO_RECEIVER, canAsk: true })),
    );
    assert.deepEqual(both.flat().sort(), ["1", "2"]);
    assert.deepEqual(await takeReplicaMessages(db, "session", { ...NO_RECEIVER, hasStream: true }), ["3"]);
    assert.deepEqual(await takeReplicaMessages(db, "session", { ...NO_RECEIVER, callIds: ["6", "8"] }), ["5"]);
  });

  it("for a mailbox are given to the process that has it, once and in order", async () => {
    await pass({ id: "2", mcp_session_id: "box", kind: "mail" });
    await pass({ id: "1", mcp_session_id: "box", kind: "mail" });
    await pass({ id: "3", mcp_session_id: "other", kind: "mail" });
    assert.deepEqual(await takeReplicaMessages(db, "box", { canAsk: true, hasStream: true, callIds: [] }), []);
    assert.deepEqual(
      (await takeMail(db, ["box", "unknown"])).map(({ mcp_session_id: box, messages }) => [box, messages]),
      [
        ["box", "1"],
        ["box", "2"],
      ],
    );
    assert.deepEqual(await takeMail(db, ["box"]), []);
    await deleteMailbox(db, "box");
    await deleteMailbox(db, "other");
    assert.deepEqual(await takeMail(db, ["other"]), []);
    assert.deepEqual(await mcpSessionsByIds(db, ["box", "other"]), []);
  });

  it("that cancel a call are given to the process with that call, by the caller's request ID", async () => {
    await pass({ id: "1", kind: "cancel", call_id: '"a"' });
    await pass({ id: "2", kind: "cancel", call_id: "7" });
    assert.deepEqual(await takeReplicaMessages(db, "session", { canAsk: true, hasStream: true, callIds: ["7"] }), []);
    assert.deepEqual(await takeCancelledCalls(db, "another", ["7"]), []);
    assert.deepEqual(await takeCancelledCalls(db, "session", ["7", "8"]), ["7"]);
    assert.deepEqual(await takeCancelledCalls(db, "session", ["7", "8"]), []);
    assert.deepEqual(await takeCancelledCalls(db, "session", ['"a"']), ['"a"']);
  });

  it("that were withdrawn are gone, and so are those that no process took within a minute", async () => {
    await pass({ id: "1" });
    assert.deepEqual([await deleteReplicaMessage(db, "1"), await deleteReplicaMessage(db, "1")], [true, false]);
    await pass({ id: "2" });
    await pass({ id: "3", created_at: ROW.created_at + 60_001 });
    assert.deepEqual(await takeReplicaMessages(db, "session", { ...NO_RECEIVER, canAsk: true }), ["3"]);
  });
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { type CallRecord, LogNames, moveCalls } from "#records/calls";
import { forEachApi } from "#test/api";

const NOW = Date.UTC(2026, 0, 1, 12);
const RECORD: CallRecord = {
  requestId: "req",
  at: NOW,
  method: "tools/call",
  userId: "usr_1",
  userEmail: "ada@example.com",
  serverSlug: "echo",
  tool: "say",
  requestBytes: 10,
  outcome: "ok",
  durationUs: 1_500,
  responseBytes: 20,
  error: undefined,
};

forEachApi("GET /api/logs/tail", (api) => {
  let spools = 0;
  const store = (...records: Partial<CallRecord>[]) => {
    const all = records.map((each) => ({ ...RECORD, ...each }));
    const step = { spool: `spool ${++spools}`, from: 0, to: 1, records: all };
    return moveCalls(api.database.databases.calls, new LogNames(), step, NOW);
  };
  const tail = async (query: string) => {
    const answer = await api.call("GET", `/api/logs/tail?${query}`);
    assert.equal(answer.status, 200, answer.text);
    const { data, pagination } = answer.body;
    const ids = data.map((entry: { request_id: string }) => entry.request_id);
    return { ids, cursor: pagination.tailCursor, hasMore: pagination.hasMore };
  };

  it("starts now or at a list's cursor, and returns a long call when it ends", async () => {
    await store({ requestId: "before" });
    const { pagination } = (await api.call("GET", "/api/logs?limit=1")).body;
    const begun = await tail("");
    assert.deepEqual([begun.ids, begun.hasMore], [[], false]);
    await store({ requestId: "quick" }, { requestId: "quick too", serverSlug: "other" });
    await store({ requestId: "long", at: NOW - 3_600_000, durationUs: 3_600_000_000 });
    for (const cursor of [pagination.tailCursor, begun.cursor]) {
      const all = await tail(`cursor=${cursor}`);
      assert.deepEqual([all.ids, all.hasMore], [["quick", "quick too", "long"], false]);
      assert.deepEqual((await tail(`cursor=${all.cursor}`)).ids, []);
      const first = await tail(`cursor=${cursor}&limit=1&server=echo`);
      assert.deepEqual([first.ids, first.hasMore], [["quick"], true]);
      assert.deepEqual((await tail(`cursor=${first.cursor}&limit=1&server=echo`)).ids, ["long"]);
      assert.deepEqual((await tail(`cursor=${cursor}&server=unheard-of`)).ids, []);
    }
  });

  it("rejects a cursor of another operation with 400", async () => {
    const list = (await api.call("GET", "/api/logs?limit=1")).body.pagination.nextCursor;
    for (const cursor of ["x", list]) {
      await api.invalid("cursor: must be a cursor from an earlier answer", "GET", `/api/logs/tail?cursor=${cursor}`);
    }
  });
});

import assert from "node:assert/strict";
import { before, it } from "node:test";
import { type CallRecord, LogNames, moveCalls } from "#records/calls";
import { forEachApi } from "#test/api";

const START = Date.UTC(2026, 0, 1);
const COUNT = 1_005;
const RECORD: CallRecord = {
  requestId: "req",
  at: START,
  method: "tools/call",
  userId: "usr_1",
  userEmail: "ada@example.com",
  serverSlug: "echo",
  tool: "=cmd|' /C calc'!A0",
  requestBytes: 10,
  outcome: "ok",
  durationUs: 1_500,
  responseBytes: 20,
  error: undefined,
};

forEachApi("GET /api/logs/export", (api) => {
  const calls = () => api.database.databases.calls;
  const lines = (text: string) => text.trimEnd().split("\n");
  const exported = async (query = "") => {
    const answer = await api.call("GET", `/api/logs/export${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };

  before(async () => {
    const records = Array.from({ length: COUNT }, (_, i) => ({ ...RECORD, requestId: `r${i}`, at: START + (i >> 2) }));
    const step = { spool: "spl_1", from: 0, to: 1, records: [...records, { ...RECORD, outcome: "denied" as const }] };
    await moveCalls(calls(), new LogNames(), step, START);
  });

  it("returns every call once, as NDJSON with the fields of the list", async () => {
    const answer = await exported("?outcome=ok");
    assert.equal(answer.headers["content-type"], "application/x-ndjson; charset=utf-8");
    assert.match(
      String(answer.headers["content-disposition"]),
      /^attachment; filename="gatehouse-logs-[\d-]+\.ndjson"$/,
    );
    const entries = lines(answer.text).map((line) => JSON.parse(line));
    assert.equal(entries.length, COUNT);
    assert.equal(new Set(entries.map((entry) => entry.request_id)).size, COUNT);
    const listed = await api.call("GET", "/api/logs?outcome=ok&limit=2");
    assert.deepEqual(entries.slice(0, 2), listed.body.data);
  });

  it("returns CSV without formulas", async () => {
    const answer = await exported("?format=csv&outcome=denied");
    assert.equal(answer.headers["content-type"], "text/csv; charset=utf-8");
    const [head = "", row = "", ...more] = lines(answer.text);
    assert.match(head, /^id,ts,user_id,user_email,server_slug,tool,method,outcome,duration_ms,/);
    assert.match(
      row,
      /,ada@example\.com,echo,"'=cmd\|' \/C calc'!A0",tools\/call,denied,1\.5,10,20,req,,machine_key,machine_key,,,,,,,,,,,$/,
    );
    assert.deepEqual(more, []);
  });

  it("returns an empty file, or only the CSV header, when no call matches", async () => {
    assert.equal((await exported("?user=nobody@example.com")).text, "");
    assert.equal(lines((await exported("?user=nobody@example.com&format=csv")).text).length, 1);
  });

  it("rejects an unknown format and an invalid time with 400", async () => {
    await api.invalid("format: must be one of ndjson, csv", "GET", "/api/logs/export?format=xlsx");
    assert.equal((await api.call("GET", "/api/logs/export?from=x")).status, 400);
  });
});

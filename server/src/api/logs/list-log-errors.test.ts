import assert from "node:assert/strict";
import { before, it } from "node:test";
import { type CallRecord, deleteCallStatsBefore, LogNames, moveCalls } from "#records/calls";
import { forEachApi } from "#test/api";
import { createMachineUser } from "#test/factories";

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const RECORD: CallRecord = {
  requestId: "req",
  at: START,
  method: "tools/call",
  userId: "usr_1",
  userEmail: "ada@example.com",
  serverSlug: "linear",
  tool: "say",
  requestBytes: 10,
  outcome: "upstream_failed",
  durationUs: 1_500,
  responseBytes: 20,
  error: "The server answered with status 401",
};
const SPAN = "from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z";

forEachApi("GET /api/logs/errors", (api) => {
  const groups = async (query: string) => {
    const answer = await api.call("GET", `/api/logs/errors?${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const store = (spool: string, records: Partial<CallRecord>[]) => {
    const all = records.map((each) => ({ ...RECORD, ...each }));
    return moveCalls(api.database.databases.calls, new LogNames(), { spool, from: 0, to: 1, records: all }, START);
  };
  before(async () => {
    await store("a", [
      { at: START + 5 * MINUTE },
      { at: START + 2 * MINUTE + 1 },
      { error: "The server answered with status 503" },
      {
        outcome: "timeout",
        error: "No answer after 812 ms, again in 28 s, call 30012, session 5f0c8a1e-0000-4000-8000-1234567890ab",
      },
      {
        outcome: "timeout",
        error: "No answer after 97 ms, again in 4 s, call 30844, session 7c0c8a1e-0000-4000-8000-1234567890ab",
      },
      { outcome: "tool_error", error: undefined, serverSlug: "github" },
      { outcome: "ok", error: undefined },
    ]);
    await store("b", [{ at: START + 2 * MINUTE }, { outcome: "denied", serverSlug: undefined, error: "Unknown tool" }]);
  });

  it("groups calls with the same error and counts them", async () => {
    const found = await groups(SPAN);
    assert.deepEqual(found[0], {
      server_slug: "linear",
      outcome: "upstream_failed",
      error: "The server answered with status 401",
      calls: 3,
      first_ts: "2026-01-01T00:02:00.000Z",
      last_ts: "2026-01-01T00:05:00.000Z",
    });
    assert.deepEqual(
      found.slice(1).map((group: { calls: number; error: string | null; server_slug: string | null }) => {
        return [group.calls, group.server_slug, group.error];
      }),
      [
        [2, "linear", "No answer after … ms, again in … s, call …, session …"],
        [1, null, "Unknown tool"],
        [1, "linear", "The server answered with status 503"],
        [1, "github", null],
      ],
    );
  });

  it("returns errors that find the group's calls in the list", async () => {
    for (const { server_slug: slug, outcome, error, calls } of await groups(SPAN)) {
      const query = new URLSearchParams({ outcome, ...(slug && { server: slug }), ...(error && { error }) });
      const { data } = (await api.call("GET", `/api/logs?${query}&${SPAN}`)).body;
      assert.equal(data.length, calls, `${query}`);
    }
  });

  it("filters by server, outcome, and time, and limits the number", async () => {
    assert.equal((await groups(`${SPAN}&server=github`)).length, 1);
    assert.equal((await groups(`${SPAN}&outcome=timeout`))[0].calls, 2);
    assert.equal((await groups(`${SPAN}&server=unheard-of`)).length, 0);
    assert.equal((await groups(`${SPAN}&top=1`)).length, 1);
    assert.equal((await groups("from=2026-01-01T00:03:00Z&to=2026-01-01T01:00:00Z"))[0].calls, 1);
    await api.invalid("from: must be before to", "GET", "/api/logs/errors?from=2026-01-02&to=2026-01-01");
  });

  it("counts a failed call immediately and deletes groups with the statistics", async () => {
    const bot = await createMachineUser(api.service, "bot");
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x__y", arguments: {} } };
    await api.service.mcp(bot.credential, call);
    const [group] = await groups("");
    assert.deepEqual([group.outcome, group.calls], ["denied", 1]);
    await deleteCallStatsBefore(api.database.databases.calls, START + 3 * MINUTE, 2);
    await deleteCallStatsBefore(api.database.databases.calls, START + 3 * MINUTE, 100);
    assert.deepEqual(
      (await groups(SPAN)).map(({ calls }: { calls: number }) => calls),
      [1],
    );
  });
});

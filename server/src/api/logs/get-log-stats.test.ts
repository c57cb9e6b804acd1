import assert from "node:assert/strict";
import { before, it } from "node:test";
import { type CallRecord, LogNames, moveCalls } from "#records/calls";
import { forEachApi } from "#test/api";
import { createMachineUser, createPerson } from "#test/factories";

const START = Date.UTC(2026, 0, 1);
const RECORD: CallRecord = {
  requestId: "req",
  at: START,
  method: "tools/call",
  userId: "usr_1",
  userEmail: "Ada@Example.com",
  serverSlug: "echo",
  tool: "say",
  requestBytes: 10,
  outcome: "ok",
  durationUs: 1_500,
  responseBytes: 20,
  error: undefined,
};
const SPAN = "from=2026-01-01T00:00:00Z&to=2026-01-01T00:03:00Z";

forEachApi("GET /api/logs/stats", (api) => {
  const stats = async (query: string) => {
    const answer = await api.call("GET", `/api/logs/stats?${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  before(async () => {
    await createPerson(api.service, "Ada", "Ada@Example.com");
    const records = [
      {},
      { outcome: "timeout", durationUs: 3_000_000 },
      { at: START + 60_000, method: "tools/list", serverSlug: undefined, tool: undefined },
      { at: START + 150_000, userEmail: "bob@example.com", serverSlug: "other" },
    ] as const;
    const step = { spool: "spl_1", from: 0, to: 1, records: records.map((each) => ({ ...RECORD, ...each })) };
    await moveCalls(api.database.databases.calls, new LogNames(), step, START);
  });

  it("counts calls and outcomes over time and by server, tool, and user", async () => {
    const { from, to, bucket, totals, series, servers, tools, users } = await stats(SPAN);
    assert.deepEqual([from, to, bucket], ["2026-01-01T00:00:00.000Z", "2026-01-01T00:03:00.000Z", "minute"]);
    assert.deepEqual([totals.calls, totals.errors, totals.outcomes], [4, 1, { ok: 3, timeout: 1 }]);
    assert.equal(totals.duration_ms.mean, 751.125);
    assert.ok(totals.duration_ms.p50 > 1.2 && totals.duration_ms.p50 < 1.8);
    assert.deepEqual(
      series.map(({ ts, calls }: { ts: string; calls: number }) => [ts.slice(11, 16), calls]),
      [
        ["00:00", 2],
        ["00:01", 1],
        ["00:02", 1],
      ],
    );
    assert.deepEqual(
      servers.map((each: { server_slug: string; calls: number }) => [each.server_slug, each.calls]),
      [
        ["echo", 2],
        ["other", 1],
      ],
    );
    assert.deepEqual(
      tools.map((each: { server_slug: string; tool: string }) => [each.server_slug, each.tool]),
      [
        ["echo", "say"],
        ["other", "say"],
      ],
    );
    assert.deepEqual(
      users.map((each: { user_email: string; calls: number }) => [each.user_email, each.calls]),
      [
        ["Ada@Example.com", 3],
        ["bob@example.com", 1],
      ],
    );
  });

  it("applies each filter to all counts", async () => {
    for (const [query, calls] of [
      ["user=ada@example.com", 3],
      ["server=echo", 2],
      ["tool=say", 3],
      ["method=tools/list", 1],
      ["kind=calls", 3],
      ["kind=lists", 1],
      ["outcome=timeout", 1],
      ["server=echo&outcome=ok", 1],
      ["tool=never", 0],
      ["top=1", 4],
    ] as const) {
      assert.equal((await stats(`${SPAN}&${query}`)).totals.calls, calls, query);
    }
    const { totals } = await stats(`${SPAN}&tool=never`);
    assert.deepEqual(totals.duration_ms, { mean: null, p50: null, p95: null, p99: null });
    assert.equal((await stats(`${SPAN}&top=1`)).servers.length, 1);
  });

  it("chooses a bucket that fits the time range by default", async () => {
    const bucketOf = async (to: string, more = "") => {
      const { bucket, series } = await stats(`from=2026-01-01&to=${to}${more}`);
      return [bucket, series.length];
    };
    assert.deepEqual(await bucketOf("2026-01-01T06:00:00Z"), ["minute", 360]);
    assert.deepEqual(await bucketOf("2026-01-08"), ["hour", 168]);
    assert.deepEqual(await bucketOf("2026-03-01"), ["day", 59]);
    assert.deepEqual(await bucketOf("2026-01-08", "&bucket=day"), ["day", 7]);
  });

  it("counts a call as soon as it was answered", async () => {
    const bot = await createMachineUser(api.service, "bot");
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x__y", arguments: {} } };
    await api.service.mcp(bot.credential, call);
    const { totals } = await stats(`user=${bot.email}`);
    assert.deepEqual(totals.outcomes, { denied: 1 });
  });

  it("rejects invalid time ranges, buckets, and limits with 400", async () => {
    const refused = (sentence: string, query: string) => api.invalid(sentence, "GET", `/api/logs/stats?${query}`);
    await refused("from: must be before to", "from=2026-01-02&to=2026-01-01");
    await refused("bucket: must be one of minute, ten_minutes, hour, day", "bucket=week");
    await refused(
      "bucket: must be longer: from and to are more than 1500 of it apart",
      "from=2026-01-01&to=2026-02-01&bucket=minute",
    );
    await refused("bucket: must be longer: from and to are more than 1500 of it apart", "from=1970-01-01");
    await refused("top: must be an integer between 0 and 100", "top=101");
  });
});

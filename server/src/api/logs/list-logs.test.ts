import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
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

forEachApi("GET /api/logs", (api) => {
  const names = new LogNames();
  let spools = 0;
  const store = async (...records: Partial<CallRecord>[]) => {
    const step = {
      spool: `spool ${++spools}`,
      from: 0,
      to: 1,
      records: records.map((each) => ({ ...RECORD, ...each })),
    };
    await moveCalls(api.database.databases.calls, names, step, START);
  };
  const list = async (query = "") => {
    const answer = await api.call("GET", `/api/logs${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const requests = async (query: string) =>
    (await list(query)).data.map((entry: { request_id: string }) => entry.request_id);

  before(async () => {
    await createPerson(api.service, "Ada", "Ada@Example.com");
    await store(
      { requestId: "r0" },
      { requestId: "r1", at: START + 1_000, method: "tools/list", serverSlug: undefined, tool: undefined },
      { requestId: "r2", at: START + 2_000, userEmail: "bob@example.com", userId: "usr_2", outcome: "denied" },
      {
        requestId: "r3",
        at: START + 3_000,
        serverSlug: "other",
        outcome: "upstream_failed",
        error: "Gone%",
        durationUs: 2_000,
      },
      {
        requestId: "r4",
        at: START + 4_000,
        tool: "Say_More",
        via: "oauth",
        client: "cli_1",
        toolkit: "kit",
        exposedTool: "more",
        toolkitConflict: "other",
        guard: {
          action: "warn",
          slug: "cards",
          findings: [{ guard: "cards", check: "Payment card", direction: "request", count: 2 }],
        },
      },
    );
  });

  describe("200", () => {
    it("newest first, each with all that is known of it", async () => {
      const { data, pagination } = await list();
      assert.deepEqual(
        data.map((entry: { request_id: string }) => entry.request_id),
        ["r4", "r3", "r2", "r1", "r0"],
      );
      const { tailCursor, ...page } = pagination;
      assert.deepEqual(page, { limit: 100, hasMore: false, nextCursor: null });
      assert.equal(typeof tailCursor, "string");
      const { id, ...failed } = data[1];
      assert.equal(typeof id, "string");
      assert.deepEqual(failed, {
        ts: "2026-01-01T00:00:03.000Z",
        user_id: "usr_1",
        user_email: "Ada@Example.com",
        server_slug: "other",
        tool: "say",
        method: "tools/call",
        outcome: "upstream_failed",
        duration_ms: 2,
        request_bytes: 10,
        response_bytes: 20,
        request_id: "r3",
        error: "Gone%",
        trace_id: null,
        toolkit_slug: null,
        exposed_tool: null,
        toolkit_conflict: null,
        guard_slug: null,
        approval_id: null,
        agent_slug: null,
        agent_session_id: null,
        guard_action: null,
        guard_findings: [],
        via: "machine_key",
        auth: "machine_key",
        client_id: null,
      });
      assert.deepEqual(
        [data[0].guard_slug, data[0].guard_action, data[0].guard_findings],
        ["cards", "warn", [{ guard_slug: "cards", check_name: "Payment card", direction: "request", count: 2 }]],
      );
      assert.deepEqual([data[3].server_slug, data[3].tool, data[3].error], [null, null, null]);
    });

    it("applies each filter and combinations", async () => {
      for (const [query, wanted] of [
        ["?user=bob@example.com", ["r2"]],
        ["?user=ada@example.com", ["r4", "r3", "r1", "r0"]],
        ["?server=other", ["r3"]],
        ["?tool=Say_More", ["r4"]],
        ["?tool=Say%25", []],
        ["?method=tools/list", ["r1"]],
        ["?kind=lists", ["r1"]],
        ["?kind=calls", ["r4", "r3", "r2", "r0"]],
        ["?kind=calls&method=tools/list", ["r1"]],
        ["?outcome=denied", ["r2"]],
        ["?from=2026-01-01T00:00:02Z", ["r4", "r3", "r2"]],
        ["?to=2026-01-01T00:00:02.000Z", ["r1", "r0"]],
        ["?from=2026-01-01T02:00:01%2B02:00&to=2026-01-01T00:00:03Z", ["r2", "r1"]],
        ["?from=2026-01-02", []],
        ["?server=echo&outcome=ok&user=Ada@Example.com", ["r4", "r0"]],
        ["?user=nobody@example.com", []],
        ["?user=echo", []],
        ["?min_duration_ms=2", ["r3"]],
        ["?min_duration_ms=0&outcome=denied", ["r2"]],
        ["?max_duration_ms=1", []],
        ["?min_duration_ms=2&max_duration_ms=2", ["r3"]],
        ["?via=oauth", ["r4"]],
        ["?via=machine_key&tool=say", ["r3", "r2", "r0"]],
        ["?client_id=cli_1", ["r4"]],
        ["?client_id=cli_2", []],
        ["?toolkit=kit", ["r4"]],
        ["?toolkit=other", []],
        ["?guard=cards", ["r4"]],
        ["?guard=kit", []],
        ["?guard_action=warn", ["r4"]],
        ["?guard_action=block", []],
        ["?error=Gone%25", ["r3"]],
        ["?error=G…%25", ["r3"]],
        ["?error=G%25", []],
        ["?error=on", []],
        ["?request_id=r1", ["r1"]],
        ["?request_id=r", []],
        ["?text=NE%25", ["r3"]],
        ["?text=AY_m", ["r4"]],
        ["?text=BOB@", ["r2"]],
        ["?text=othe", ["r3"]],
        ["?text=nothing%20such", []],
        ["?text=&outcome=denied", ["r2"]],
      ] as const) {
        assert.deepEqual(await requests(query), wanted, query);
      }
    });

    it("returns every row once across pages while new rows arrive, and keeps the filters", async () => {
      const at = START + 10_000;
      // Rows of the same millisecond on both sides of a page boundary.
      await store(
        ...Array.from({ length: 11 }, (_, i) => ({ requestId: `w${i}`, at: at + (i >> 1), serverSlug: "walk" })),
      );
      const walked: string[] = [];
      let cursor: string | null = "";
      for (let page = 0; cursor !== null; page++) {
        const { data, pagination } = await list(`?server=walk&limit=3${cursor && `&cursor=${cursor}`}`);
        walked.push(...data.map((entry: { request_id: string }) => entry.request_id));
        assert.equal(pagination.hasMore, pagination.nextCursor !== null);
        cursor = pagination.nextCursor;
        await store({ requestId: `late ${page}`, at: at + 1_000 + page, serverSlug: "walk" });
      }
      assert.deepEqual(walked, ["w10", "w9", "w8", "w7", "w6", "w5", "w4", "w3", "w2", "w1", "w0"]);
    });

    it("lists a call as soon as it was answered (Spec 4.5 rule 4)", async () => {
      const bot = await createMachineUser(api.service, "bot");
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x__y", arguments: {} } };
      const answer = await api.service.mcp(bot.credential, call);
      const { data } = await list("?limit=1");
      assert.deepEqual([data[0].request_id, data[0].user_email], [answer.headers["x-request-id"], bot.email]);
    });
  });

  describe("400", () => {
    it("rejects an invalid cursor", async () => {
      const ours = Buffer.from("1.2").toString("base64url");
      for (const cursor of ["", "x", "0", `${ours}=`, `${ours}x`, Buffer.from("1.-2").toString("base64url"), "%00"]) {
        const { status, body } = await api.call("GET", `/api/logs?cursor=${cursor}`);
        assert.deepEqual([status, body.code], [400, "INVALID_FORMAT"], cursor);
        assert.match(body.message, /^cursor: /);
      }
    });

    it("rejects invalid filters", async () => {
      await api.invalid(
        "method: must be one of other, tools/call, tools/list, prompts/get, resources/read, completion/complete, plugin.fetch",
        "GET",
        "/api/logs?method=ping",
      );
      assert.match((await api.call("GET", "/api/logs?outcome=good")).body.message, /^outcome: must be one of ok, /);
      for (const time of ["now", "2026-13-01", "2026-01-01T25:00:00Z", "2026-01-01T00:00:00", "1767225600000"]) {
        await api.invalid("to: must be an ISO 8601 timestamp", "GET", `/api/logs?to=${time}`);
      }
      for (const duration of ["", "-1", "1.5", "x", "86400001"]) {
        const sentence = "min_duration_ms: must be an integer between 0 and 86400000";
        await api.invalid(sentence, "GET", `/api/logs?min_duration_ms=${duration}`);
      }
      await api.invalid("user: must be well-formed text without NUL characters", "GET", "/api/logs?user=%00");
    });
  });
});

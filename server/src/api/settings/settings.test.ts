import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type CallRecord, LogNames, listCalls, moveCalls } from "#records/calls";
import { forEachApi } from "#test/api";
import { advanceUntil } from "#test/clock";

const DEFAULTS = {
  call_log_retention_days: 90,
  call_stats_retention_days: 400,
  audit_retention_days: 365,
  tool_sync_interval_minutes: 15,
  machine_secret_reveal: true,
  access_requests: true,
  allow_plugin_hooks: false,
  discovery_skill_texts: false,
  local_sign_in: true,
  help_contact: null,
  payload_capture_until: null,
  sso: null,
  server_concurrent_calls: 64,
  server_queued_calls: 128,
  server_queue_seconds: 5,
  server_failures_until_pause: 5,
  server_pause_seconds: 30,
  server_first_byte_seconds: 300,
  server_idle_seconds: 300,
  server_total_seconds: 900,
  user_concurrent_calls: 256,
  user_calls_per_minute: 0,
  payload_capture: "metadata",
  client_id_documents: "auto",
  approval_wait_seconds: 30,
  payload_retention_days: 7,
  payload_storage_mb: 512,
  discovery_scan_minutes: 60,
  discovery_retention_days: 180,
};
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const RECORD: CallRecord = {
  requestId: "req",
  at: 0,
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

forEachApi(
  "GET and PATCH /api/settings",
  (api) => {
    const patch = (body: object, wanted: object) =>
      api.expect(200, { data: { ...DEFAULTS, ...wanted } }, "PATCH", "/api/settings", body);
    const isNow = (wanted: object) => api.expect(200, { data: { ...DEFAULTS, ...wanted } }, "GET", "/api/settings");
    beforeEach(() => api.db.deleteFrom("settings").execute());

    describe("200", () => {
      it("returns the defaults", async () => {
        await isNow({});
        await patch({}, {});
        await patch({ unknown: 1, org_name: "x" }, {});
      });

      it("keeps omitted settings and restores the default for null", async () => {
        await patch(
          { call_log_retention_days: 7, audit_retention_days: 3_650 },
          {
            call_log_retention_days: 7,
            audit_retention_days: 3_650,
          },
        );
        await patch(
          { tool_sync_interval_minutes: 1_440, audit_retention_days: null },
          {
            call_log_retention_days: 7,
            tool_sync_interval_minutes: 1_440,
          },
        );
        await isNow({ call_log_retention_days: 7, tool_sync_interval_minutes: 1_440 });
        await patch({ call_log_retention_days: null, tool_sync_interval_minutes: null }, {});
      });

      it("keeps all concurrent changes of different settings", async () => {
        const changes = [
          { call_log_retention_days: 3 },
          { audit_retention_days: 33 },
          { tool_sync_interval_minutes: 5 },
        ];
        const answers = await Promise.all(changes.map((body) => api.call("PATCH", "/api/settings", body)));
        for (const answer of answers) assert.equal(answer.status, 200, answer.text);
        await isNow(Object.assign({}, ...changes));
      });

      it("ignores and keeps settings of other releases", async () => {
        const value = { audit_retention_days: 1, call_log_retention_days: "x", of_tomorrow: true };
        await api.db.insertInto("settings").values({ name: "organization", value, updated_at: 1 }).execute();
        await patch({ tool_sync_interval_minutes: 20 }, { tool_sync_interval_minutes: 20 });
        const [row] = await api.db.selectFrom("settings").select("value").execute();
        assert.deepEqual(row?.value, { ...value, tool_sync_interval_minutes: 20 });
      });

      it("applies the maximum to a longer retention that a different release stored", async () => {
        const value = { audit_retention_days: 5_000 };
        await api.db.insertInto("settings").values({ name: "organization", value, updated_at: 1 }).execute();
        await isNow({ audit_retention_days: 3_650 });
      });

      it("audits the settings before and after", async () => {
        const [row] = await api.auditOf(() => patch({ audit_retention_days: 100 }, { audit_retention_days: 100 }));
        assert.deepEqual([row?.before, row?.after], [DEFAULTS, { ...DEFAULTS, audit_retention_days: 100 }]);
      });
    });

    it("rejects numbers out of range and non-integers with 400 and changes nothing", async () => {
      for (const [name, minimum, maximum] of [
        ["call_log_retention_days", 1, 3_650],
        ["call_stats_retention_days", 1, 3_650],
        ["audit_retention_days", 30, 3_650],
        ["tool_sync_interval_minutes", 1, 1_440],
        ["server_concurrent_calls", 1, 256],
        ["user_calls_per_minute", 0, 1_000_000],
      ] as const) {
        const between = `${name}: must be between ${minimum} and ${maximum}`;
        for (const value of [minimum - 1, maximum + 1, -maximum]) {
          await api.invalid(between, "PATCH", "/api/settings", { [name]: value });
        }
        for (const value of ["30", 30.5, true, {}, []]) {
          await api.invalid(`${name}: must be an integer`, "PATCH", "/api/settings", { [name]: value });
        }
      }
      await isNow({});
    });

    it("accepts only booleans for switches", async () => {
      await patch({ machine_secret_reveal: false }, { machine_secret_reveal: false });
      for (const value of [0, "false", {}]) {
        const body = { machine_secret_reveal: value };
        await api.invalid("machine_secret_reveal: must be true or false", "PATCH", "/api/settings", body);
      }
      await patch({ machine_secret_reveal: null }, {});
    });

    it("accepts only the four values of payload_capture", async () => {
      await patch({ payload_capture: "full" }, { payload_capture: "full" });
      for (const value of ["all", "", true, 1]) {
        const message = "payload_capture: must be one of off, metadata, redacted, full";
        await api.invalid(message, "PATCH", "/api/settings", { payload_capture: value });
      }
      await patch({ payload_capture: null }, {});
    });

    describe("take effect without a restart", () => {
      const minutesUntil = (reached: () => Promise<boolean>) => advanceUntil(api.clock, MINUTE_MS, reached);

      it("applies the retention of calls and audit entries", async () => {
        const { calls } = api.database.databases;
        // Far from the limits, because the simulated clock can advance by days until a job is done.
        const ages = [400, 91, 45, 40, 5, 0];
        const now = api.clock.now();
        const records = ages.map((days) => ({ ...RECORD, requestId: `${days}`, at: now - days * DAY_MS }));
        await moveCalls(calls, new LogNames(), { spool: "aged", from: 0, to: 1, records }, now);
        const audit = { actor_kind: "system", actor_id: "x", actor_name: "x", operation: "aged", request_id: "x" };
        const target = { target_kind: "x", target_id: "x", target_name: "x", before: null, after: null };
        // Only the oldest entries are deleted, so these must come first. Entries without a position get theirs by age.
        await api.db.deleteFrom("audit").execute();
        await api.db
          .insertInto("audit")
          .values(ages.map((days) => ({ ...audit, ...target, id: `aud_${days}`, at: now - days * DAY_MS })))
          .execute();
        const kept = async () => {
          const rows = await api.db.selectFrom("audit").select("id").where("operation", "=", "aged").execute();
          const logged = await listCalls(calls, { limit: 10, filters: { serverSlug: "echo" } });
          return { calls: logged.calls.map((call) => Number(call.requestId)), audit: rows.length };
        };
        await minutesUntil(async () => (await kept()).calls.length === 4);
        await minutesUntil(async () => (await kept()).audit === 5);
        assert.deepEqual(await kept(), { calls: [0, 5, 40, 45], audit: 5 });
        const shorter = { call_log_retention_days: 1, audit_retention_days: 30 };
        await patch(shorter, shorter);
        await minutesUntil(async () => (await kept()).calls.length <= 1);
        await minutesUntil(async () => (await kept()).audit === 2);
      });
    });
  },
  { clock: "by-hand" },
);

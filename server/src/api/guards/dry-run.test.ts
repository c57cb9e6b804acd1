import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { rpc } from "#test/gateway-kit";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const CARD = "4111 1111 1111 1111";
const NOTHING = { block: 0, require_approval: 0, redact: 0, warn: 0, log: 0 };

forEachApi("POST /api/guards/dry-run", (api) => {
  let upstream: RawUpstream;
  let bot: MachineUser;
  let other: MachineUser;
  before(async () => {
    upstream = await startRawUpstream();
    await createSyncedServer(api.service, "Desk", upstream.url);
    bot = await createMachineUser(api.service, "bot");
    other = await createMachineUser(api.service, "other");
    await createGroup(api.service, "Support", { slugs: ["desk"], emails: [bot.email, other.email] });
  });
  after(() => upstream.close());
  beforeEach(async () => {
    await api.database.databases.calls.deleteFrom("calls").execute();
    await api.database.databases.calls.deleteFrom("call_payloads").execute();
    await capture("full");
  });

  const capture = async (payload_capture: string, payload_capture_until?: string) => {
    const answer = await api.call("PATCH", "/api/settings", { payload_capture, payload_capture_until });
    assert.equal(answer.status, 200, answer.text);
  };
  const call = (user: MachineUser, text: string, extra: object = {}) =>
    api.service.mcp(user.credential, rpc("tools/call", { name: "desk__echo", arguments: { text, ...extra } }));
  /** Payloads are stored a moment after the call. */
  const stored = async (count: number) => {
    const { calls } = api.database.databases;
    const read = () => calls.selectFrom("call_payloads").select("id").execute();
    while ((await read()).length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const period = () => ({
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
  });
  const run = async (body: object) => {
    const answer = await api.call("POST", "/api/guards/dry-run", { ...period(), ...body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };

  it("reports what a disabled guard would have done, by tool and caller, without the text", async () => {
    await call(bot, `card ${CARD}`);
    await call(bot, `card ${CARD}`, { "4111111111111111": "card" });
    await call(other, `card ${CARD}`);
    await call(other, "no card");
    await stored(4);
    const answer = await run({ guard_slug: "payment-cards" });
    const { data } = answer;
    assert.equal(answer.warnings, undefined);
    assert.deepEqual([data.calls_examined, data.calls_without_payload], [4, 0]);
    assert.equal(data.would.block + data.would.redact, 3);
    assert.deepEqual(data.by_tool, [{ tool: "desk__echo", count: 3 }]);
    assert.deepEqual(data.by_user, [
      { email: bot.email, count: 2 },
      { email: other.email, count: 1 },
    ]);
    assert.equal(data.samples.length, 3);
    for (const { log_id, check_id, certainty } of data.samples) {
      assert.equal((await api.call("GET", `/api/logs/${log_id}`)).status, 200);
      assert.equal(check_id, "pii-payment-card");
      assert.ok(certainty >= 7);
    }
    assert.ok(!JSON.stringify(answer).includes("4111"));
  });

  it("tries an unsaved guard with its scope and direction, and stores nothing of it", async () => {
    await call(bot, "the falcon");
    await call(other, "the falcon");
    await stored(2);
    const checks = [{ type: "keyword", name: "Words", config: { words: ["falcon"] } }];
    const guard = { name: "Names", type: "runtime", action: "warn", checks };
    assert.deepEqual((await run({ guard })).data.would, { ...NOTHING, warn: 2 });
    const scoped = { ...guard, scope: { users: [bot.email] } };
    assert.deepEqual((await run({ guard: scoped })).data.would, { ...NOTHING, warn: 1 });
    const elsewhere = { ...guard, scope: { tools: ["other__*"] } };
    assert.deepEqual((await run({ guard: elsewhere })).data.would, NOTHING);
    const [first] = (await run({ guard: { ...guard, direction: "request" } })).data.samples;
    assert.equal(first.path, "arguments.text");
  });

  it("does not show keys in paths that can be data", async () => {
    await call(bot, "none", { "AB-4711": { note: "falcon" } });
    await stored(1);
    const checks = [{ type: "keyword", name: "Words", config: { words: ["falcon"] } }];
    const guard = { name: "Names", type: "runtime", action: "warn", direction: "request", checks };
    const { samples } = (await run({ guard })).data;
    assert.deepEqual(
      samples.map(({ path }: { path: string }) => path),
      ["arguments.*.note"],
    );
  });

  it("counts calls without a payload, and reports redacted payloads as incomplete", async () => {
    await capture("metadata");
    await call(bot, `card ${CARD}`);
    await capture("redacted");
    await call(bot, `card ${CARD}`);
    await stored(1);
    const { data, warnings } = await run({ guard_slug: "payment-cards" });
    assert.deepEqual([data.calls_examined, data.calls_without_payload], [1, 1]);
    assert.deepEqual(warnings, [
      "Incomplete for 1 call: secrets and long texts were removed before the payload was stored",
    ]);
  });

  it("examines the newest calls up to the limit, and only those of the period", async () => {
    for (const text of ["a", "b", "c"]) await call(bot, text);
    await stored(3);
    const limited = await run({ guard_slug: "payment-cards", limit: 2 });
    assert.equal(limited.data.calls_examined, 2);
    assert.deepEqual(limited.warnings, ["There are more calls than the limit. The newest were examined"]);
    const earlier = { from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" };
    assert.equal((await run({ guard_slug: "payment-cards", ...earlier })).data.calls_examined, 0);
  });

  it("reports a payload that was too large to be stored completely", async () => {
    await call(bot, `${"x ".repeat(40_000)}${CARD}`);
    await stored(1);
    const { warnings } = await run({ guard_slug: "payment-cards" });
    assert.deepEqual(warnings, ["Incomplete for 1 call: the payload was too large to be stored completely"]);
  });

  it("needs the scope for payloads, and is audited", async () => {
    const reader = await api.tokenWith("admin:read");
    const body = { guard_slug: "payment-cards", ...period() };
    const refused = await api.call("POST", "/api/guards/dry-run", body, { authorization: `Bearer ${reader.token}` });
    assert.deepEqual([refused.status, refused.body.error], [403, "Insufficient permissions: requires logs:payloads"]);
    const audits = await api.auditOf(() => run({ guard_slug: "payment-cards" }));
    assert.deepEqual(
      audits.map(({ operation, target_name }) => [operation, target_name]),
      [["dryRunGuard", "payment-cards"]],
    );
  });

  it("refuses build-time guards, remote checks, and wrong periods", async () => {
    const invalid = (message: string, body: object) =>
      api.invalid(message, "POST", "/api/guards/dry-run", { ...period(), ...body });
    await invalid("guard: only runtime guards can be tried on calls", { guard_slug: "tool-poisoning" });
    await invalid("guard_slug: one of guard_slug and guard is required", {});
    await invalid("to: must be after from", { guard_slug: "secrets", to: "2020-01-01T00:00:00Z" });
    await invalid("from: must be an ISO 8601 time", { guard_slug: "secrets", from: "yesterday" });
    await invalid("limit: must be an integer from 1 to 10000", { guard_slug: "secrets", limit: 0 });
    const checks = [{ type: "webhook", name: "Remote", config: { url: upstream.url } }];
    const guard = { name: "Remote", type: "runtime", action: "warn", checks };
    await invalid("guard: webhook and llm checks cannot be tried on logged calls", { guard });
    await api.expect(404, { error: "Guard not found" }, "POST", "/api/guards/dry-run", {
      ...{ ...period(), guard_slug: "missing" },
    });
  });

  it("finds no payloads of calls after the end of the capture", async () => {
    await capture("full", new Date(Date.now() - 1_000).toISOString());
    await call(bot, "late");
    await capture("full");
    await call(bot, "stored");
    await stored(1);
    const { data } = await run({ guard_slug: "payment-cards" });
    assert.deepEqual([data.calls_examined, data.calls_without_payload], [1, 1]);
    assert.equal((await api.call("GET", "/api/settings")).body.data.payload_capture_until, null);
  });
});

/** Families 7, field by field: defaults, limits, and the messages of refused values. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { newSession } from "#test/agent-rows";
import { forEachApi } from "#test/api";
import { createPerson } from "#test/factories";

const AGENTS = "/api/background-agents";
const PROVIDER = { type: "scripted", script: [{ text: "Done" }] };
const AGENT = { name: "Triage", instructions: "Help.", model: "m", provider: PROVIDER };

forEachApi("background agents", (api) => {
  const created = async (body: object) => {
    const answer = await api.call("POST", AGENTS, { ...AGENT, ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const refused = (message: string, body: object) => api.invalid(message, "POST", AGENTS, { ...AGENT, ...body });

  it("have the defaults of the contract", async () => {
    const { status, platform, version, toolkit, skills, owner_emails, limits, notify_url, sync, triggers, identity } =
      await created({ slug: "plain" });
    assert.deepEqual(
      [status, platform, version, toolkit, skills, owner_emails, notify_url],
      [...["draft", "builtin", 1, null], ...[[], [], null]],
    );
    assert.deepEqual(limits, {
      ...{ max_steps: 25, max_output_tokens: 4096, max_total_tokens: 200_000, timeout_seconds: 600, max_concurrent: 1 },
    });
    assert.deepEqual([sync.status, sync.platform_agent_id, sync.last_synced_at], ["never", null, null]);
    assert.deepEqual([triggers.schedule, triggers.webhook.enabled, triggers.webhook.has_secret], [null, false, false]);
    assert.match(identity, /^agent-plain@machine\./);
  });

  it("refuse values with the field and the reason", async () => {
    await createPerson(api.service, "Kim", "kim@example.com");
    const long = "x".repeat(64 * 1024 + 1);
    const cases: [string, object][] = [
      ["name: name is required", { name: "" }],
      ["instructions: must be at most 64 KiB", { instructions: long }],
      ["instructions: must be at most 64 KiB", { instructions: "ü".repeat(32 * 1024 + 1) }],
      ["identity: must be a machine user", { identity: "kim@example.com" }],
      ["owner_emails.0: must be a valid email", { owner_emails: ["kim"] }],
      ["limits.max_steps: must be between 1 and 200", { limits: { max_steps: 201 } }],
      ["limits.timeout_seconds: must be between 10 and 3600", { limits: { timeout_seconds: 9 } }],
      ["limits.timeout_seconds: must be between 10 and 3600", { limits: { timeout_seconds: 3601 } }],
      ["limits.max_concurrent: must be between 1 and 20", { limits: { max_concurrent: 21 } }],
      ["triggers.schedule.input: input is required", { triggers: { schedule: { cron: "0 9 * * *" } } }],
      ["provider: must be omitted for the platform webhook", { platform: "webhook" }],
      ["provider: must be omitted for the platform anthropic", { platform: "anthropic" }],
      ["platform_config: must be omitted for the platform builtin", { platform_config: { environment_id: "env_1" } }],
    ];
    for (const [message, body] of cases) await refused(message, body);
    await api.invalid("slug query parameter is required", "PATCH", AGENTS, {});
    await api.invalid("slug query parameter is required", "DELETE", AGENTS);
    const unknown = { error: "Background agent not found" };
    await api.expect(404, unknown, "PATCH", `${AGENTS}?slug=none`, {});
    await api.expect(404, unknown, "DELETE", `${AGENTS}?slug=none`);
    await api.expect(404, unknown, "POST", `${AGENTS}/none/sync`);
  });

  it("take an object as the input of a schedule, like that of a session", async () => {
    const schedule = { cron: "0 9 * * *", input: { task: "triage", count: 2 } };
    const { triggers } = await created({ slug: "objects", triggers: { schedule } });
    assert.deepEqual(
      [triggers.schedule.input, triggers.schedule.timezone, triggers.schedule.enabled],
      ['{"task":"triage","count":2}', "UTC", true],
    );
  });

  it("increase the version when what they do changes, and not for other fields", async () => {
    await created({ slug: "versions" });
    const versionAfter = async (body: object) => {
      const answer = await api.call("PATCH", `${AGENTS}?slug=versions`, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data.version;
    };
    assert.equal(await versionAfter({ description: "For people", limits: { max_steps: 3 } }), 1);
    assert.equal(await versionAfter({ instructions: "Help more." }), 2);
    assert.equal(await versionAfter({ model: "n" }), 3);
    assert.equal(await versionAfter({ provider: { type: "openai" } }), 4);
    assert.equal(await versionAfter({ platform: "webhook", status: "paused" }), 4, "the platform never changes");
  });

  it("refuse input and follow-ups with the contract's statuses", async () => {
    await created({ slug: "sessions" });
    const invoke = `${AGENTS}/sessions/invoke`;
    await api.invalid("input: input is required", "POST", invoke, {});
    await api.invalid("input: input is required", "POST", invoke, { input: " " });
    await api.invalid("input: must be a string or an object", "POST", invoke, { input: 7 });
    await api.invalid("wait_seconds: must be between 0 and 60", "POST", invoke, { input: "x", wait_seconds: 61 });
    await api.expect(409, { code: "CONFLICT", message: "agent is not active" }, "POST", invoke, { input: "x" });
    const missing = { error: "Session not found" };
    for (const path of ["", "/steps", "/events"])
      await api.expect(404, missing, "GET", `${AGENTS}/sessions/sessions/ses_none${path}`);
    await api.expect(404, missing, "POST", `${AGENTS}/sessions/sessions/ses_none/cancel`);
    await api.expect(404, missing, "POST", `${AGENTS}/sessions/sessions/ses_none/messages`, { input: "x" });
  });

  it("limit the sessions that wait to 100", async () => {
    const { id } = await created({ slug: "full", status: "active" });
    const rows = Array.from({ length: 101 }, (_, n) => {
      const isRunning = n === 0;
      // One runs elsewhere, so the others wait.
      const claim = isRunning ? { claimed_by: "elsewhere", claimed_until: Date.now() + 3_600_000, ended_at: null } : {};
      const row = newSession(`ses_full_${n}`, "full", isRunning ? "running" : "queued");
      return { ...row, agent_id: id, ...claim };
    });
    await api.db.insertInto("agent_sessions").values(rows).execute();
    const full = { code: "LIMIT_EXCEEDED", message: "too many queued sessions (100)" };
    await api.expect(429, full, "POST", `${AGENTS}/full/invoke`, { input: "One more" });
    await api.expect(
      409,
      { code: "CONFLICT", message: "the agent has running sessions" },
      "DELETE",
      `${AGENTS}?slug=full`,
    );
    await api.expect(
      ...([200, { message: "Background agent deleted successfully" }, "DELETE"] as const),
      `${AGENTS}?slug=full&force=true`,
    );
  });

  it("can be followed up only by those who can read the session", async () => {
    const { id } = await created({ slug: "shared", status: "active" });
    const session = { ...newSession("ses_of_another", "shared", "completed"), agent_id: id };
    await api.db.insertInto("agent_sessions").values(session).execute();
    const invoker = await api.tokenWith("agents:invoke");
    const headers = { authorization: `Bearer ${invoker.token}` };
    const messages = `${AGENTS}/shared/sessions/ses_of_another/messages`;
    const foreign = await api.call("POST", messages, { input: "What did it say?" }, headers);
    assert.deepEqual([foreign.status, foreign.body], [404, { error: "Session not found" }]);
    const body = { input: "What did it say?", parent_session_id: "ses_of_another" };
    const invoked = await api.call("POST", `${AGENTS}/shared/invoke`, body, headers);
    assert.deepEqual(
      [invoked.status, invoked.body],
      [400, { code: "INVALID_FORMAT", message: "parent_session_id: session not found" }],
    );
    assert.equal((await api.call("POST", messages, { input: "And then?" })).status, 202, "an admin reads all sessions");
    const own = await api.call("POST", `${AGENTS}/shared/invoke`, { input: "Go", wait_seconds: 60 }, headers);
    assert.equal(own.status, 200, own.text);
    const path = `${AGENTS}/shared/sessions/${own.body.data.id}/messages`;
    assert.equal((await api.call("POST", path, { input: "More" }, headers)).status, 202);
  });
});

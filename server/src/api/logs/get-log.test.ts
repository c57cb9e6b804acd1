import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { sql } from "kysely";
import { bearer, forEachApi } from "#test/api";
import { signedInAs } from "#test/browser";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

/** Too long for a gateway name, so the gateway shortens it (D28). */
const LONG = "search_".repeat(12);

/** `id` is JSON text. */
function serverError(id: string): string {
  const error = { code: -32603, message: `Quota exceeded, token=hunter2 ${"too many requests ".repeat(30)}` };
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}

forEachApi("GET /api/logs/{id}", (api) => {
  let upstream: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    upstream = await startRawUpstream({
      tools: ["echo", "broken", LONG].map((name) => ({ name, inputSchema: {} })),
      behave: ({ tool, id }) => (tool === "broken" ? { status: 200, body: serverError(id ?? "null") } : "json"),
    });
    const slug = await createSyncedServer(api.service, "Echo", upstream.url);
    bot = await createMachineUser(api.service, "bot");
    await createGroup(api.service, "bots", { slugs: [slug], emails: [bot.email] });
  });
  after(() => upstream.close());

  const capture = async (payload_capture: string) =>
    assert.equal((await api.call("PATCH", "/api/settings", { payload_capture })).status, 200);
  const message = (name: string) => ({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name, arguments: { note: "hello", password: "hunter2" } },
  });
  /** Makes a call and returns its entry of the list. */
  const call = async (name = "echo__echo") => {
    const answer = await api.service.mcp(bot.credential, message(name));
    const requestId = answer.headers["x-request-id"];
    const { body } = await api.call("GET", `/api/logs?request_id=${requestId}`);
    return { answer, entry: body.data[0] };
  };
  const get = async (id: string, query = "?include_payload=true") => {
    const answer = await api.call("GET", `/api/logs/${id}${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  it("returns the list entry with its timeline, and no payload by default", async () => {
    const { entry } = await call();
    const { timeline, has_payload, payload, gateway_name: name, ...rest } = await get(entry.id);
    assert.equal(name, "echo__echo");
    assert.deepEqual([rest, has_payload, payload], [entry, false, null]);
    const [received, forwarded, ended] = timeline;
    assert.deepEqual([received, forwarded.event], [{ event: "received", after_ms: 0 }, "forwarded"]);
    assert.deepEqual(ended, { event: "ended", after_ms: entry.duration_ms });
    assert.ok(forwarded.after_ms >= 0 && forwarded.after_ms <= ended.after_ms);
  });

  it("returns the shortened gateway name, regardless of the name used in the call", async () => {
    const { entry } = await call(`echo__${LONG}`);
    assert.equal(entry.tool, LONG);
    const { gateway_name: name } = await get(entry.id);
    assert.match(name, /^echo__search_.+-[0-9a-f]{8}$/);
    const again = await call(name);
    assert.deepEqual([again.entry.tool, again.entry.outcome], [LONG, "ok"]);
    assert.equal((await get((await call("echo__nothing")).entry.id)).gateway_name, null);
  });

  it("returns the message of the server's JSON-RPC error, redacted and truncated, unless capture is off", async () => {
    const { entry } = await call("echo__broken");
    assert.equal(entry.outcome, "error");
    assert.match(entry.error, /^Quota exceeded, token=\[redacted\] too many requests .{200,300}… \(-32603\)$/);
    await capture("off");
    assert.equal((await call("echo__broken")).entry.error, null);
    await capture("metadata");
  });

  it("has no forwarded event for a denied call", async () => {
    const { timeline } = await get((await call("echo__nothing")).entry.id);
    assert.deepEqual(
      timeline.map(({ event }: { event: string }) => event),
      ["received", "ended"],
    );
  });

  it("stores request and response unchanged with full capture", async () => {
    await capture("full");
    const { answer, entry } = await call();
    const { payload, has_payload } = await get(entry.id);
    assert.equal(has_payload, true);
    assert.equal(payload.capture, "full");
    assert.equal(payload.request.text, JSON.stringify(message("echo__echo")));
    assert.deepEqual(payload.response, { text: answer.text, bytes: entry.response_bytes, is_cut: false });
  });

  it("removes values that look like secrets with redacted capture", async () => {
    await capture("redacted");
    const { payload } = await get((await call()).entry.id);
    assert.equal(payload.capture, "redacted");
    for (const { text } of [payload.request, payload.response]) {
      assert.ok(text.includes("hello") && !text.includes("hunter2"), text);
    }
  });

  it("stores neither sizes nor errors when capture is off", async () => {
    await capture("off");
    for (const name of ["echo__echo", "echo__nothing"]) {
      const { request_bytes, response_bytes, error, tool } = (await call(name)).entry;
      assert.deepEqual([request_bytes, response_bytes, error, typeof tool], [0, 0, null, "string"]);
    }
  });

  it("audits each payload access, and denies access when the audit fails", async () => {
    await capture("full");
    const { entry } = await call();
    const rows = await api.auditOf(async () => {
      assert.equal((await get(entry.id, "")).payload, null);
      assert.ok((await get(entry.id)).payload);
    });
    assert.deepEqual(
      rows.map(({ operation, target_id, target_name, after }) => [operation, target_id, target_name, after]),
      [["getLog", entry.request_id, "echo: echo", { user_email: bot.email, capture: "full" }]],
    );
    await sql`alter table audit rename to lost_audit`.execute(api.db);
    const unwritten = await api.call("GET", `/api/logs/${entry.id}?include_payload=true`);
    await sql`alter table lost_audit rename to audit`.execute(api.db);
    assert.deepEqual([unwritten.status, unwritten.body], [500, { error: "Failed to retrieve the call" }]);
  });

  it("requires the scope logs:payloads for the payload only", async () => {
    const { entry } = await call();
    const path = `/api/logs/${entry.id}`;
    const error = "Insufficient permissions: requires logs:payloads";
    for (const [scopes, status] of [
      [["admin:write"], 403],
      [["admin:read", "logs:payloads"], 200],
    ] as const) {
      const { token } = await api.tokenWith(...scopes);
      const answer = await api.service.http(`${path}?include_payload=true`, { headers: bearer(token) });
      assert.equal(answer.status, status, answer.text);
      if (status === 403) assert.deepEqual(answer.body, { error });
      assert.equal((await api.service.http(path, { headers: bearer(token) })).status, 200);
    }
    for (const [role, status] of [
      ["auditor", 403],
      ["admin", 200],
    ] as const) {
      const person = await signedInAs(api.service, role);
      assert.equal((await person.api("GET", `${path}?include_payload=true`)).status, status);
    }
  });

  it("returns 404 for an unknown or invalid ID", async () => {
    for (const id of ["1-1", "x", "1", "req_1", "1-1-1"]) {
      await api.expect(404, { error: "Call not found" }, "GET", `/api/logs/${id}`);
    }
  });
});

import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import type { ApprovalRow } from "#storage/approval-tables";
import { forEachApi } from "#test/api";
import { approvalRow, insertApprovalRows } from "#test/approval-rows";
import { type Browser, signedInAs } from "#test/browser";
import { createMachineUser, createPerson } from "#test/factories";

const HOUR_MS = 60 * 60 * 1000;

forEachApi("approvals", (api) => {
  let admin: Browser;
  let auditor: Browser;
  let member: Browser;
  let adminId = "";
  let botId = "";
  before(async () => {
    admin = await signedInAs(api.service, "owner");
    auditor = await signedInAs(api.service, "auditor");
    member = await signedInAs(api.service, "member");
    adminId = (await admin.api("GET", "/api/me")).body.data.id;
    botId = (await createMachineUser(api.service, "Bot", { owner_ids: [adminId] })).id;
    await createPerson(api.service, "Ada", "ada@example.com");
  });
  beforeEach(() => api.db.deleteFrom("approvals").execute());

  const insert = (...rows: (Partial<ApprovalRow> & { readonly id: string })[]) => {
    const now = Date.now();
    return insertApprovalRows(
      api.db,
      rows.map((row) => approvalRow(row.id, now, row)),
    );
  };
  const list = async (query = "") => {
    const { status, body, text } = await api.call("GET", `/api/guards/approvals?${query}`);
    assert.equal(status, 200, text);
    return body.data.map(({ id }: { id: string }) => id);
  };

  it("lists pending ones first, and filters", async () => {
    const now = Date.now();
    const decided = { decided_by: "Eve", decided_at: now, note: "No" };
    await insert(
      { id: "apr_late", created_at: now - 10, expires_at: now - 5 },
      { id: "apr_no", created_at: now - 30, status: "denied", ...decided },
      { id: "apr_yes", created_at: now - 20, status: "approved", guard_slug: "cards", ...decided },
      { id: "apr_2", created_at: now - 40, user_email: "Eve@example.com", tool: "pay", search_text: "eve\npay" },
      { id: "apr_1", created_at: now - 50 },
    );
    assert.deepEqual(await list(), ["apr_1", "apr_2", "apr_late", "apr_yes", "apr_no"]);
    assert.deepEqual(await list("status=pending"), ["apr_1", "apr_2"]);
    assert.deepEqual(await list("status=expired"), ["apr_late"]);
    assert.deepEqual(await list("status=decided"), ["apr_late", "apr_yes", "apr_no"]);
    assert.deepEqual(await list("status=denied"), ["apr_no"]);
    assert.deepEqual(await list("user=eve@example.com"), ["apr_2"]);
    assert.deepEqual(await list("tool=pay"), ["apr_2"]);
    assert.deepEqual(await list("tool=wiki__pay"), ["apr_2"]);
    assert.deepEqual(await list("guard=cards"), ["apr_yes"]);
    assert.deepEqual(await list("search=EVE"), ["apr_2"]);
    assert.deepEqual(await list("skip=1&limit=2"), ["apr_2", "apr_late"]);
    const { body } = await api.call("GET", "/api/guards/approvals?limit=1");
    assert.deepEqual([body.pending, body.pagination], [2, { skip: 0, limit: 1, hasMore: true }]);
    assert.equal((await api.call("GET", "/api/guards/approvals/apr_late")).body.data.status, "expired");
  });

  const decide = (id: string, decision: string, note: string | null = null) =>
    api.call("POST", `/api/guards/approvals/${id}/decision`, { decision, note });

  it("are decided once", async () => {
    await insert({ id: "apr_1" }, { id: "apr_2" }, { id: "apr_3", expires_at: Date.now() - 1 });
    const rows = await api.auditOf(() => decide("apr_1", "approve", "Fine"));
    assert.deepEqual(
      rows.map(({ operation, target_id }) => [operation, target_id]),
      [["decideApproval", "apr_1"]],
    );
    const denied = await decide("apr_2", "deny");
    assert.deepEqual([denied.status, denied.body.data.status, denied.body.data.note], [200, "denied", null]);
    assert.ok(Date.parse(denied.body.data.expires_at) >= Date.now() + HOUR_MS - 10_000);
    for (const [id, decision, message] of [
      ["apr_1", "deny", /^The call is already approved by /],
      ["apr_2", "approve", /^The call is already denied by /],
      ["apr_3", "approve", /^The approval has expired/],
    ] as const) {
      const again = await decide(id, decision);
      assert.deepEqual([again.status, again.body.code], [409, "CONFLICT"]);
      assert.match(again.body.message, message);
    }
    const unknown = await decide("apr_9", "approve");
    assert.deepEqual([unknown.status, unknown.body], [404, { error: "Approval not found" }]);
    const wrong = await decide("apr_1", "accept");
    assert.deepEqual(
      [wrong.status, wrong.body],
      [400, { code: "INVALID_FORMAT", message: "decision: must be one of approve, deny" }],
    );
    await api.expect(404, { error: "Approval not found" }, "GET", "/api/guards/approvals/apr_9");
  });

  it("that are not decided or not used expire when their server gets another URL", async () => {
    const url = "http://127.0.0.1:65001/mcp";
    await api.call("POST", "/api/mcp-servers", { name: "Bank", upstream: { type: "http", url } });
    const bank = await api.db
      .selectFrom("mcp_servers")
      .select("id")
      .where("slug", "=", "bank")
      .executeTakeFirstOrThrow();
    const of = { server_id: bank.id };
    const approved = { ...of, status: "approved", decided_by: "Eve", decided_at: Date.now() } as const;
    await insert(
      { id: "apr_open", ...of },
      { id: "apr_yes", ...approved },
      { id: "apr_used", ...approved, consumed_at: Date.now() },
      { id: "apr_no", ...approved, status: "denied" },
      { id: "apr_other" },
    );
    const statuses = async () => {
      const rows = await api.db.selectFrom("approvals").select(["id", "status"]).orderBy("id").execute();
      return rows.map(({ id, status }) => `${id} ${status}`);
    };
    const before = await statuses();
    await api.call("PATCH", "/api/mcp-servers?slug=bank", { name: "The bank" });
    assert.deepEqual(await statuses(), before);
    await api.call("PATCH", "/api/mcp-servers?slug=bank", { upstream: { url: `${url}/other` } });
    assert.deepEqual(await statuses(), [
      "apr_no denied",
      "apr_open expired",
      "apr_other pending",
      "apr_used approved",
      "apr_yes expired",
    ]);
    await api.call("DELETE", "/api/mcp-servers?slug=bank");
  });

  it("of two concurrent decisions accept one", async () => {
    await insert({ id: "apr_1" });
    const answers = await Promise.all([decide("apr_1", "approve"), decide("apr_1", "deny")]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  it("are never decided by the caller, by an owner of the machine user, or with their API tokens", async () => {
    const token = await admin.api("POST", "/api/api-tokens", { name: "Mine", scopes: ["admin:write"] });
    assert.equal(token.status, 201, token.text);
    const bearer = { authorization: `Bearer ${token.body.token}` };
    await insert(
      { id: "apr_own", user_id: adminId, user_email: "owner@example.com" },
      { id: "apr_bot", user_id: botId, user_email: "bot@machine.example.com" },
      { id: "apr_was", user_id: "usr_gone", user_email: "gone@machine.example.com", owner_ids: [adminId] },
    );
    for (const [id, because] of [
      ["apr_own", "made this call, so another owner or admin must decide"],
      ["apr_bot", "the machine user bot@machine.example.com, so another owner or admin must decide"],
      ["apr_was", "the machine user gone@machine.example.com, so another owner or admin must decide"],
    ]) {
      for (const decision of ["approve", "deny"]) {
        const path = `/api/guards/approvals/${id}/decision`;
        const refused = await admin.api("POST", path, { decision });
        assert.equal(refused.status, 403);
        assert.ok(refused.body.error.startsWith("You "), refused.text);
        assert.ok(refused.body.error.endsWith(because), refused.text);
        const byToken = await api.call("POST", path, { decision }, bearer);
        assert.equal(byToken.status, 403);
        assert.ok(byToken.body.error.startsWith("The person responsible for this API token "), byToken.text);
      }
      const { data } = (await admin.api("GET", `/api/guards/approvals/${id}`)).body;
      assert.deepEqual([data.may_decide, data.arguments], [false, null]);
      assert.equal((await decide(id ?? "", "deny")).status, 200);
    }
  });

  it("are readable without arguments by auditors, and only their own calls by members", async () => {
    const { id: memberId } = (await member.api("GET", "/api/me")).body.data;
    await insert({ id: "apr_1", user_id: memberId, user_email: "member@example.com" }, { id: "apr_2" });
    const { data } = (await auditor.api("GET", "/api/guards/approvals/apr_1")).body;
    assert.deepEqual(
      [data.may_decide, data.cannot_decide_because, data.arguments_json],
      [false, "Only owners and admins can decide", null],
    );
    const path = "/api/guards/approvals/apr_1/decision";
    assert.equal((await auditor.api("POST", path, { decision: "approve" })).status, 403);
    assert.equal((await member.api("GET", "/api/guards/approvals/apr_1")).status, 403);
    const mine = (await member.api("GET", "/api/me/approvals")).body.data;
    assert.deepEqual(
      mine.map((one: { id: string; status: string }) => [one.id, one.status]),
      [["apr_1", "pending"]],
    );
    assert.ok(!("arguments" in mine[0]) && !("decided_by" in mine[0]));
    assert.deepEqual((await member.api("GET", "/api/me/approvals?id=apr_2")).body.data, []);
    await insert({ id: "apr_bot", user_id: botId });
    assert.equal((await admin.api("GET", "/api/me/approvals?id=apr_bot")).body.data.length, 1);
  });
});

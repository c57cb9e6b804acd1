import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { setEmailEnabled } from "#records/emails";
import { forEachApi } from "#test/api";
import { type Browser, signedInAs } from "#test/browser";
import { createGroup, createPerson, createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const ADA = "ada@example.com";
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

forEachApi("access requests", (api) => {
  let upstream: RawUpstream;
  let ada: Browser;
  before(async () => {
    upstream = await startRawUpstream({ tools: ["search", "create"].map(tool) });
    await createSyncedServer(api.service, "Desk", upstream.url);
    await createSyncedServer(api.service, "Wiki", upstream.url);
    await createServer(api.service, "Secret plan", upstream.url, { status: "draft" });
    ada = await signedInAs(api.service, "member", ADA);
    await createPerson(api.service, "Eve", "eve@example.com");
  });
  after(() => upstream.close());
  beforeEach(async () => {
    await api.db.deleteFrom("access_requests").execute();
    for (const name of ["Readers", "Writers", "New"]) await api.call("DELETE", `/api/groups?name=${name}`);
    await api.call("PATCH", "/api/settings", { access_requests: null });
  });

  const ask = async (body: object) => {
    const answer = await ada.api("POST", "/api/me/requests", { reason: "For on-call", ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const approve = async (id: string, body: object) => {
    const answer = await api.call("POST", `/api/access-requests/${id}/approve`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const catalog = async () => {
    const { body } = await ada.api("GET", "/api/me/catalog");
    return body.data.map((one: { slug: string; access: string; granted_tools: number; requested: boolean }) => [
      one.slug,
      one.access,
      one.granted_tools,
      one.requested,
    ]);
  };
  const callable = async () => {
    const { body } = await api.call("GET", `/api/access?email=${ADA}`);
    return body.data.map((one: { tool: string }) => one.tool);
  };

  it("are emailed to admins, and the decision to the person, if the installation has a mail server", async () => {
    await signedInAs(api.service, "admin", "grace@example.com");
    await createGroup(api.service, "Readers", { slugs: ["wiki"] });
    await setEmailEnabled(api.db, true);
    try {
      const { id } = await ask({ server: "wiki" });
      await approve(id, { group: "Readers", note: "Welcome" });
    } finally {
      await setEmailEnabled(api.db, false);
    }
    const emails = await api.db.selectFrom("emails").select(["kind", "recipient", "data"]).execute();
    const of = (kind: string) => emails.filter((email) => email.kind === kind);
    assert.ok(of("access_requested").some(({ recipient }) => recipient === "grace@example.com"));
    assert.ok(of("access_requested").every(({ recipient }) => recipient !== ADA));
    const [decision] = of("access_decided");
    assert.deepEqual([decision?.recipient, decision?.data.status, decision?.data.note], [ADA, "approved", "Welcome"]);
  });

  describe("of a member", () => {
    it("show active servers with the caller's access, and their tools", async () => {
      await createGroup(api.service, "Readers", { slugs: ["desk"], emails: [ADA] });
      await api.call("PATCH", "/api/groups/Readers/integrations?slug=desk", { tools: ["search"] });
      await ask({ server: "wiki" });
      assert.deepEqual(await catalog(), [
        ["desk", "some", 1, false],
        ["wiki", "none", 0, true],
      ]);
      const tools = (await ada.api("GET", "/api/me/catalog/tools?server=desk")).body.data;
      assert.deepEqual(
        tools.map((one: { name: string; granted: boolean }) => [one.name, one.granted]),
        [
          ["search", true],
          ["create", false],
        ],
      );
      const draft = await ada.api("GET", "/api/me/catalog/tools?server=secret-plan");
      assert.deepEqual([draft.status, draft.body], [404, { error: "MCP server not found" }]);
    });

    it("are listed with their decision and can be withdrawn once", async () => {
      const { id } = await ask({ server: "desk", tools: ["create"] });
      const listed = (await ada.api("GET", "/api/me/requests")).body.data;
      assert.deepEqual(
        listed.map((one: { id: string; status: string; tools: string[]; reason: string }) => [
          one.id,
          one.status,
          one.tools,
          one.reason,
        ]),
        [[id, "pending", ["create"], "For on-call"]],
      );
      assert.equal((await ada.api("DELETE", `/api/me/requests?id=${id}`)).status, 200);
      assert.equal((await ada.api("DELETE", `/api/me/requests?id=${id}`)).status, 404);
      assert.equal((await ada.api("GET", "/api/me/requests")).body.data[0].status, "withdrawn");
      await ask({ server: "desk" });
    });

    it("are rejected if they are invalid, repeated, unnecessary or turned off", async () => {
      await createGroup(api.service, "Readers", { slugs: ["wiki"], emails: [ADA] });
      const post = async (body: object) => {
        const { status, body: answer } = await ada.api("POST", "/api/me/requests", body);
        return [status, answer.error ?? answer.message];
      };
      const reason = "For on-call";
      assert.deepEqual(await post({ server: "desk" }), [400, "reason: reason is required"]);
      assert.deepEqual(await post({ reason }), [400, "server: server is required"]);
      assert.deepEqual(await post({ server: "desk", reason: "x".repeat(1001) }), [
        400,
        "reason: must be at most 1000 characters",
      ]);
      assert.deepEqual(await post({ server: "none", reason }), [404, "MCP server not found"]);
      assert.deepEqual(await post({ server: "secret-plan", reason }), [404, "MCP server not found"]);
      assert.deepEqual(await post({ server: "desk", tools: ["x"], reason }), [400, "Tools not found: x"]);
      assert.deepEqual(await post({ server: "wiki", reason }), [400, "server: you already have access to Wiki"]);
      await ask({ server: "desk" });
      assert.deepEqual(await post({ server: "desk", reason }), [409, "You have already requested access to Desk"]);
      await api.call("PATCH", "/api/settings", { access_requests: false });
      const off = [403, "Access requests are turned off"];
      assert.deepEqual(await post({ server: "desk", reason }), off);
      const { status, body } = await ada.api("GET", "/api/me/catalog");
      assert.deepEqual([status, body.error], off);
      assert.equal((await ada.api("GET", "/api/me/requests")).status, 200);
    });

    it("are created once by ten concurrent requests", async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => ada.api("POST", "/api/me/requests", { server: "desk", reason: "x" })),
      );
      assert.deepEqual(
        answers.map(({ status }) => status).sort(),
        [201, ...Array.from({ length: 9 }, () => 409)].sort(),
      );
    });

    it("of others cannot be withdrawn, and members cannot decide", async () => {
      const { id } = await ask({ server: "desk" });
      const eve = await signedInAs(api.service, "member", "mallory@example.com");
      assert.equal((await eve.api("DELETE", `/api/me/requests?id=${id}`)).status, 404);
      assert.equal((await eve.api("POST", `/api/access-requests/${id}/approve`, { group: "x" })).status, 403);
      assert.equal((await eve.api("GET", "/api/access-requests")).status, 403);
    });
  });

  describe("for admins", () => {
    it("are listed, pending ones first, with their number", async () => {
      const first = await ask({ server: "desk" });
      await api.call("POST", `/api/access-requests/${first.id}/deny`, { note: "Not yet" });
      const second = await ask({ server: "wiki" });
      const { body } = await api.call("GET", "/api/access-requests");
      assert.deepEqual([body.pending, body.data.map((one: { id: string }) => one.id)], [1, [second.id, first.id]]);
      const found = async (query: string) => (await api.call("GET", `/api/access-requests?${query}`)).body.data.length;
      assert.deepEqual(
        [await found("status=denied"), await found("search=WIKI"), await found("search=none")],
        [1, 1, 0],
      );
      assert.equal((await ada.api("GET", "/api/me/requests")).body.data[1].note, "Not yet");
    });

    it("are approved into a new group with exactly the requested tools", async () => {
      const { id } = await ask({ server: "desk", tools: ["create"] });
      await api.expect(404, { error: "Group not found" }, "POST", `/api/access-requests/${id}/approve`, {
        group: "New",
      });
      const done = await approve(id, { group: "New", create_group: true, note: "Welcome" });
      assert.deepEqual([done.status, done.group, done.note], ["approved", "New", "Welcome"]);
      assert.ok(done.decided_by.length > 0 && done.decided_at > done.created_at);
      assert.deepEqual(await callable(), ["desk__create"]);
      const again = { code: "CONFLICT", message: "The request is already approved" };
      await api.expect(409, again, "POST", `/api/access-requests/${id}/approve`, { group: "New" });
      await api.expect(409, again, "POST", `/api/access-requests/${id}/deny`);
      const [mine] = (await ada.api("GET", "/api/me/requests")).body.data;
      assert.deepEqual([mine.status, mine.group, mine.note], ["approved", "New", "Welcome"]);
    });

    it("extend the selection of a group, also one that excludes tools, or end it for a whole server", async () => {
      await createGroup(api.service, "Readers", { slugs: ["desk", "wiki"], emails: [ADA] });
      await api.call("PATCH", "/api/groups/Readers/integrations?slug=desk", { tools: ["search"] });
      await api.call("PATCH", "/api/groups/Readers/integrations?slug=wiki", {
        tools: ["search"],
        new_tools: "include",
      });
      await approve((await ask({ server: "wiki", tools: ["create"] })).id, { group: "readers", grant: true });
      assert.deepEqual(await callable(), ["desk__search", "wiki__search", "wiki__create"]);
      await approve((await ask({ server: "desk" })).id, { group: "Readers", grant: true });
      assert.deepEqual(await callable(), ["desk__search", "desk__create", "wiki__search", "wiki__create"]);
    });

    it("only add the person to a group that grants what was requested, unless the admin says otherwise", async () => {
      await createGroup(api.service, "Readers", { slugs: ["wiki"] });
      await api.call("PATCH", "/api/groups/Readers/integrations?slug=wiki", { tools: ["search"] });
      const { id } = await ask({ server: "wiki", tools: ["search", "create"] });
      const path = `/api/access-requests/${id}/approve`;
      const hint = "Choose another group, or set grant to true";
      await api.invalid(`group: Readers does not grant these tools: create. ${hint}`, "POST", path, {
        group: "readers",
      });
      await createGroup(api.service, "Writers");
      await api.invalid(`group: Writers does not grant all that was requested. ${hint}`, "POST", path, {
        group: "Writers",
      });
      assert.deepEqual(await callable(), []);
      await api.call("PATCH", "/api/groups/Readers/integrations?slug=wiki", { tools: null });
      await approve(id, { group: "Readers" });
      assert.deepEqual(await callable(), ["wiki__search", "wiki__create"]);
    });

    it("are decided by only one of two concurrent admins", async () => {
      await createGroup(api.service, "Readers");
      await createGroup(api.service, "Writers");
      const { id } = await ask({ server: "desk" });
      const answers = await Promise.all(
        ["Readers", "Writers"].map((group) =>
          api.call("POST", `/api/access-requests/${id}/approve`, { group, grant: true }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    });
  });
});

forEachApi("GET /api/me/logs", (api) => {
  it("lists only the caller's calls", async () => {
    const ada = await signedInAs(api.service, "member", ADA);
    const { token } = (await ada.api("POST", "/api/me/playground-token", {})).body;
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    await api.service.mcp(token, list);
    const eve = await signedInAs(api.service, "member", "eve@example.com");
    const mine = (await ada.api("GET", "/api/me/logs")).body;
    assert.deepEqual(
      mine.data.map((one: { user_email: string; method: string }) => [one.user_email, one.method]),
      [[ADA, "tools/list"]],
    );
    assert.deepEqual((await eve.api("GET", "/api/me/logs")).body.data, []);
    assert.equal((await ada.api("GET", "/api/me/logs?outcome=denied")).body.data.length, 0);
    assert.equal((await api.call("GET", "/api/me/logs")).status, 403);
  });
});

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { bearer, forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { createGroup, createMachineUser, createPerson, createServer } from "#test/factories";
import { makeGatewayToken } from "#test/gateway-tokens";
import { SCIM, scimClient } from "#test/scim-client";

const ADA = "ada@example.com";
const KEY = { kind: "api_key", state: "connected" } as const;
const MANAGED = "managed by the identity provider through SCIM. Change it there, or detach the";

forEachApi("what SCIM manages", (api) => {
  let token = "";
  const idp = scimClient({ http: (path, call) => api.service.http(path, call) }, () => token);
  const person = (email: string, rest: object = {}) => ({
    schemas: [SCIM.user],
    userName: email,
    displayName: email,
    emails: [{ value: email, primary: true }],
    ...rest,
  });
  const activate = (id: string, active: boolean) => idp.patch(`/Users/${id}`, { op: "replace", value: { active } });
  const user = async (email: string) => (await api.call("GET", `/api/users/${email}`)).body.data;
  const change = (email: string, body: object) => api.call("PATCH", `/api/users?email=${email}`, body);

  beforeEach(async () => {
    await api.db.deleteFrom("users").execute();
    await api.db.deleteFrom("groups").execute();
    token = (await api.tokenWith("admin:scim")).token;
  });

  describe("active: false", () => {
    it("ends sessions, tokens, clients and invitations, and keeps connections for the reactivation", async () => {
      const ada = await signedInAs(api.service, "member", ADA);
      const { id } = await idp.expect(201, "POST", "/Users", person(ADA));
      const slug = await createServer(api.service, "Keyed", "http://127.0.0.1:1/mcp", {
        auth_settings: { authType: "proxy-api-key" },
      });
      await createGroup(api.service, "All", { slugs: [slug], emails: [ADA] });
      const [server] = await api.db.selectFrom("mcp_servers").select("id").where("slug", "=", slug).execute();
      const connection = {
        ...{ id: "con_1", user_id: id, server_id: server?.id ?? "", ...KEY },
        ...{ sealed_credential: "sealed", expires_at: null, scopes: null, needed_scopes: null, issuer: null },
        ...{ resource: null, last_error: null, created_at: 1, updated_at: 1 },
      } as const;
      await api.db.insertInto("connections").values(connection).execute();
      const making = { kind: "oauth", userId: id, expiresAt: Date.now() + 1e9 } as const;
      const client = await makeGatewayToken(api.database, systemClock, making);
      const ping = async () => (await api.service.mcp(client.token, { jsonrpc: "2.0", id: 1, method: "ping" })).status;
      assert.equal(await ping(), 200);
      assert.equal((await ada.api("GET", "/api/me")).status, 200);

      const [entry] = await api.auditOf(() => activate(id, false));
      assert.equal(await ping(), 401);
      assert.equal((await ada.api("GET", "/api/me")).status, 401);
      assert.deepEqual(
        [entry?.operation, entry?.actor_kind, entry?.actor_name],
        ["scimUpdateUser", "api-token", "admin:scim"],
      );
      assert.equal((await new Browser(api.service).signIn(ADA)).status, 401);
      assert.equal((await api.call("POST", `/api/users/invite?email=${ADA}`)).status, 400);
      assert.deepEqual(await api.db.selectFrom("connections").select(["id", "state"]).execute(), [
        { id: "con_1", state: "connected" },
      ]);

      await activate(id, true);
      assert.equal(await ping(), 401, "an ended token stays ended");
      assert.equal((await user(ADA)).disabled, false);
      assert.notEqual((await new Browser(api.service).signIn(ADA)).status, 401);
      await idp.expect(204, "DELETE", `/Users/${id}`);
      assert.deepEqual(await api.db.selectFrom("connections").select("id").execute(), []);
      await api.call("DELETE", `/api/mcp-servers?slug=${slug}`);
    });

    it("creates an inactive person without access", async () => {
      await idp.expect(201, "POST", "/Users", person(ADA, { active: false }));
      const { disabled, suspended } = await user(ADA);
      assert.deepEqual([disabled, suspended], [true, true]);
    });

    it("keeps a person disabled that an admin disabled, before or during the suspension", async () => {
      for (const whenSuspended of [false, true]) {
        const { id } = await idp.expect(201, "POST", "/Users", person(`${whenSuspended}@example.com`));
        const email = `${whenSuspended}@example.com`;
        if (!whenSuspended) await change(email, { disabled: true });
        await activate(id, false);
        if (whenSuspended) await change(email, { disabled: true, risk_score: 1 });
        await change(email, { risk_score: 2 });
        await activate(id, true);
        const { disabled, suspended } = await user(email);
        assert.deepEqual([disabled, suspended], [true, false]);
        assert.equal((await change(email, { disabled: false })).body.data.disabled, false);
      }
    });

    it("refuses to deactivate or delete the last owner, and allows it for others", async () => {
      await createPerson(api.service, "Ada", ADA);
      await change(ADA, { role: "owner" });
      const { id } = await idp.expect(201, "POST", "/Users", person(ADA));
      for (const [method, body] of [
        ["PATCH", { Operations: [{ op: "replace", path: "active", value: "False" }] }],
        ["PUT", person(ADA, { active: false })],
        ["DELETE", undefined],
      ] as const) {
        const refused = await idp.expect(400, method, `/Users/${id}`, body);
        assert.equal(refused.scimType, "mutability");
        assert.match(refused.detail, /is the last owner of the organization/);
      }
      await createPerson(api.service, "Eve", "eve@example.com");
      await change("eve@example.com", { role: "owner" });
      assert.equal((await activate(id, false)).status, 200);
      const other = await idp.expect(201, "POST", "/Users", person("eve@example.com"));
      assert.equal((await activate(other.id, false)).status, 400);
    });

    it("ends the provider's token with the owner who is responsible for it, after the request was applied", async () => {
      const owner = await signedInAs(api.service, "owner", "first@example.com");
      await signedInAs(api.service, "owner", ADA);
      const made = await owner.api("POST", "/api/api-tokens", { name: "Okta", scopes: ["admin:scim"] });
      assert.equal(made.status, 201, made.text);
      const own = scimClient(api.service, () => made.body.token);
      const { id } = await own.expect(201, "POST", "/Users", person("first@example.com"));
      assert.equal((await own.patch(`/Users/${id}`, { op: "replace", value: { active: false } })).status, 200);
      assert.equal((await own.call("GET", "/Users")).status, 401);
      assert.equal((await api.call("GET", "/api/provisioning")).body.data.suspended_count, 1);
    });
  });

  describe("identity of owners and admins", () => {
    it("requires the scope all to change their email or ID, and not to set it first", async () => {
      await createPerson(api.service, "Ada", ADA);
      await change(ADA, { role: "admin" });
      const { id } = await idp.expect(201, "POST", "/Users", person(ADA, { externalId: "1" }));
      const moved = [{ op: "replace", path: "emails", value: [{ value: "mallory@example.com", primary: true }] }];
      const renumbered = [{ op: "replace", path: "externalId", value: "2" }];
      for (const Operations of [moved, renumbered]) {
        const refused = await idp.expect(403, "PATCH", `/Users/${id}`, { Operations });
        assert.match(refused.detail, /requires an API token with the scope all$/);
      }
      assert.equal((await user(ADA)).external_id, "1");
      const all = scimClient(api.service, () => api.service.token);
      assert.equal((await all.patch(`/Users/${id}`, ...moved, ...renumbered)).status, 200);
      assert.equal((await user("mallory@example.com")).role, "admin");
    });

    it("voids the invitation that was sent to the old email", async () => {
      const { id } = await idp.expect(201, "POST", "/Users", person(ADA));
      const link = (await api.call("POST", `/api/users/invite?email=${ADA}`)).body.invite_url;
      await idp.patch(`/Users/${id}`, { op: "replace", value: { emails: [{ value: "new@example.com" }] } });
      const accepted = await new Browser(api.service).accept(link);
      assert.notEqual(accepted.status, 303, accepted.text);
      assert.equal((await user("new@example.com")).id, id);
    });
  });

  describe("collisions", () => {
    it("links by email whatever its case, and rejects what belongs to somebody else", async () => {
      const ada = await createPerson(api.service, "Ada", "Ada@Example.com");
      const bot = await createMachineUser(api.service, "bot");
      const linked = await idp.expect(201, "POST", "/Users", person("ADA@example.com", { userName: "ada.l" }));
      assert.equal(linked.id, ada);
      await createPerson(api.service, "Bob", "bob@example.com");
      await createPerson(api.service, "Eve", "eve@example.com");
      for (const body of [
        person(bot.email),
        person("new@example.com", { userName: "ADA.L" }),
        person("ada@example.com", { userName: "someone" }),
        person("bob@example.com", { userName: "eve@example.com" }),
      ]) {
        assert.equal((await idp.expect(409, "POST", "/Users", body)).scimType, "uniqueness", body.userName);
      }
      await idp.expect(201, "POST", "/Users", person("bob@example.com", { externalId: "7" }));
      const taken = await idp.expect(409, "POST", "/Users", person("eve@example.com", { externalId: "7" }));
      assert.equal(taken.detail, "externalId: 7 belongs to another person");
      const renamed = await idp.expect(409, "PATCH", `/Users/${ada}`, {
        Operations: [{ op: "replace", path: "userName", value: "bob@example.com" }],
      });
      assert.equal(renamed.scimType, "uniqueness");
      assert.equal((await user("eve@example.com")).provisioned_by, null);
    });

    it("creates a person once when two requests create them concurrently", async () => {
      const answers = await Promise.all([1, 2, 3].map(() => idp.call("POST", "/Users", person(ADA))));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
      const groups = await Promise.all([1, 2, 3].map(() => idp.call("POST", "/Groups", { displayName: "Twice" })));
      assert.deepEqual(groups.map(({ status }) => status).toSorted(), [201, 409, 409]);
    });

    it("hides machine users", async () => {
      const bot = await createMachineUser(api.service, "bot");
      for (const method of ["GET", "DELETE"]) await idp.expect(404, method, `/Users/${bot.id}`);
      await idp.expect(404, "PUT", `/Users/${bot.id}`, person(ADA));
      assert.equal((await idp.expect(200, "GET", "/Users")).totalResults, 0);
      const refused = await idp.expect(400, "POST", "/Groups", { displayName: "Bots", members: [{ value: bot.id }] });
      assert.equal(refused.scimType, "invalidValue");
    });
  });

  describe("locks", () => {
    const invalid = (message: string) => ({ code: "INVALID_FORMAT", message });

    it("rejects manual changes of people, and lets an admin detach them", async () => {
      const { id } = await idp.expect(201, "POST", "/Users", person(ADA, { externalId: "1" }));
      await activate(id, false);
      const path = `/api/users?email=${ADA}`;
      await api.expect(400, invalid(`name: ${MANAGED} user from SCIM first`), "PATCH", path, { name: "Other" });
      await api.expect(400, invalid(`external_id: ${MANAGED} user from SCIM first`), "PATCH", path, {
        external_id: null,
      });
      await api.expect(400, invalid(`email: ${MANAGED} user from SCIM first`), "DELETE", path);
      const reason =
        "disabled: the identity provider deactivated this person. Reactivate the person there, or detach the user from SCIM first";
      await api.expect(400, invalid(reason), "PATCH", path, { disabled: false });
      assert.equal((await change(ADA, { risk_score: 3, name: ADA })).status, 200);
      const detached = await api.call("POST", "/api/provisioning/detach", { emails: [ADA.toUpperCase()] });
      assert.deepEqual(detached.body, { data: { users_count: 1, groups_count: 0 } });
      const { disabled, suspended, provisioned_by } = await user(ADA);
      assert.deepEqual([disabled, suspended, provisioned_by], [true, false, null]);
      assert.equal((await change(ADA, { name: "Other", disabled: false })).body.data.disabled, false);
      assert.equal((await api.call("DELETE", path)).status, 200);
    });

    it("rejects manual changes of groups and their people, but not of machine users and servers", async () => {
      const bot = await createMachineUser(api.service, "bot");
      const ada = await idp.expect(201, "POST", "/Users", person(ADA));
      await createPerson(api.service, "Eve", "eve@example.com");
      const body = { displayName: "Pushed", members: [{ value: ada.id }] };
      const { id } = await idp.expect(201, "POST", "/Groups", body);
      const message = (field: string) => invalid(`${field}: ${MANAGED} group from SCIM first`);
      await api.expect(400, message("name"), "PATCH", "/api/groups?name=pushed", { name: "Other" });
      const settings = { auto_assign_users: true };
      await api.expect(400, message("settings.auto_assign_users"), "PATCH", "/api/groups?name=pushed", { settings });
      await api.expect(400, message("name"), "DELETE", "/api/groups?name=pushed");
      const users = "/api/groups/pushed/users";
      await api.expect(400, message("emails"), "POST", users, { emails: [bot.email, "eve@example.com"] });
      await api.expect(400, message("email"), "DELETE", `${users}?email=${ADA}`);
      assert.equal((await api.call("POST", users, { emails: [bot.email] })).status, 200);
      await idp.expect(200, "PUT", `/Groups/${id}`, { ...body, members: [] });
      assert.equal((await api.call("GET", "/api/groups/pushed")).body.data.users_count, 1, "the machine user stays");
      assert.equal((await api.call("DELETE", `${users}?email=${bot.email}`)).status, 200);
      await api.call("POST", "/api/provisioning/detach", { groups: ["PUSHED"] });
      assert.equal((await api.call("DELETE", "/api/groups?name=pushed")).status, 200);
    });

    it("detaches everything together, and the next change of the provider manages it again", async () => {
      const ada = await idp.expect(201, "POST", "/Users", person(ADA));
      const group = await idp.expect(201, "POST", "/Groups", { displayName: "Pushed" });
      const detached = await api.call("POST", "/api/provisioning/detach", { all: true });
      assert.deepEqual(detached.body, { data: { users_count: 1, groups_count: 1 } });
      const { data } = (await api.call("GET", "/api/provisioning")).body;
      assert.deepEqual([data.users_count, data.groups_count], [0, 0]);
      await activate(ada.id, true);
      await idp.patch(`/Groups/${group.id}`, { op: "add", path: "members", value: [{ value: ada.id }] });
      assert.equal((await user(ADA)).provisioned_by, "scim");
      assert.equal((await api.call("GET", "/api/groups/pushed")).body.data.provisioned_by, "scim");
    });
  });

  it("reports the last request, the last error, and valid tokens", async () => {
    await idp.expect(404, "GET", "/Users/usr_unknown");
    const { data } = (await api.call("GET", "/api/provisioning")).body;
    assert.equal(data.scim_url, "http://127.0.0.1:8080/scim/v2");
    assert.equal(data.last_request.request, "GET /Users/usr_unknown");
    assert.deepEqual([data.last_request.status, data.last_request.token_name], [404, "admin:scim"]);
    assert.equal(data.last_error.error, "404: User usr_unknown not found");
    assert.ok(data.tokens_count > 0);
  });

  it("requires the scope admin:scim, which admin:write includes", async () => {
    for (const [scope, status] of [
      ["admin:scim", 200],
      ["admin:write", 200],
      ["all", 200],
      ["admin:read", 403],
      ["connect:write", 403],
    ] as const) {
      const { token: other } = await api.tokenWith(scope);
      const answer = await api.service.http("/scim/v2/Users", { headers: bearer(other) });
      assert.equal(answer.status, status, scope);
      if (status === 403) assert.deepEqual(answer.body.schemas, [SCIM.error]);
    }
    assert.equal((await api.call("GET", "/api/users", undefined, bearer(token))).status, 403);
  });
});

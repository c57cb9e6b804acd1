import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { allows, ROLE_SCOPES } from "#api/kit/scopes";
import { mayIssue } from "#records/issuers";
import { bearer, forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { createPerson } from "#test/factories";
import { ROLES } from "./schema.ts";

const ADA = "ada@example.com";

it("lets the roles issue whose scopes allow it", () => {
  for (const role of ROLES) {
    for (const needed of ["all", "admin:write"] as const) {
      assert.equal(mayIssue({ role, disabled: false }, needed), allows(ROLE_SCOPES[role], needed), `${role} ${needed}`);
      assert.equal(mayIssue({ role, disabled: true }, needed), false);
    }
  }
});

/** Decision 0057. */
forEachApi("what a person issued", (api) => {
  let ada: Browser;
  const makeToken = async (by: Browser | string, scopes = ["admin:read"]) => {
    const body = { name: "made", scopes };
    const path = "/api/api-tokens";
    const answer = await (typeof by === "string"
      ? api.call("POST", path, body, bearer(by))
      : by.api("POST", path, body));
    assert.equal(answer.status, 201, answer.text);
    return answer.body as { data: { id: string; created_by: string; responsible: string | null }; token: string };
  };
  const isValid = async (token: string) =>
    (await api.service.http("/api/me", { headers: bearer(token) })).status === 200;
  const inviteAs = async (by: Browser, email: string): Promise<string> => {
    const answer = await by.api("POST", `/api/users/invite?email=${email}`);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.invite_url;
  };
  /** 400: the page reports a missing password, so the link is valid. */
  const linkStatus = async (url: string) => (await new Browser(api.service).accept(url, "")).status;
  const change = (body: object) => api.call("PATCH", `/api/users?email=${ADA}`, body);

  beforeEach(async () => {
    await api.db.deleteFrom("users").execute();
    await api.db.deleteFrom("api_tokens").where("responsible_id", "is not", null).execute();
    await signedInAs(api.service, "owner", "first@example.com");
    ada = await signedInAs(api.service, "owner", ADA);
    await createPerson(api.service, "Bob", "bob@example.com");
    await createPerson(api.service, "Eve", "eve@example.com");
    await api.call("PATCH", "/api/users?email=eve@example.com", { role: "admin" });
  });

  it("shows the creator and the responsible person, also of a token that was created with a token", async () => {
    const first = await makeToken(ada, ["all"]);
    const second = await makeToken(first.token);
    assert.deepEqual([first.data.created_by, first.data.responsible], [ADA, ADA]);
    assert.deepEqual([second.data.created_by, second.data.responsible], ["made", ADA]);
    const { body } = await api.call("GET", "/api/api-tokens");
    const shown = body.data.find((each: { id: string }) => each.id === second.data.id);
    assert.deepEqual([shown.created_by_id, shown.responsible], [first.data.id, ADA]);
    assert.equal((await makeToken(api.service.token)).data.responsible, null);
  });

  const losses: Record<string, () => Promise<unknown>> = {
    "becomes an admin": () => change({ role: "admin" }),
    "becomes a member": () => change({ role: "member" }),
    "is disabled": () => change({ disabled: true }),
    "is deleted": () => api.call("DELETE", `/api/users?email=${ADA}`),
  };
  for (const [name, lose] of Object.entries(losses)) {
    it(`deletes API tokens when an owner ${name}, with an audit entry each, and keeps those of others`, async () => {
      const own = await makeToken(ada, ["all"]);
      const indirect = await makeToken(own.token);
      const other = await makeToken(api.service.token);
      const rows = await api.auditOf(lose);
      const deleted = rows.filter((row) => row.operation === "deleteApiToken").map((row) => row.target_id);
      assert.deepEqual(deleted.sort(), [own.data.id, indirect.data.id].sort());
      assert.deepEqual(await Promise.all([own, indirect, other].map(({ token }) => isValid(token))), [
        false,
        false,
        true,
      ]);
      await change({ role: "owner", disabled: false });
      assert.equal(await isValid(own.token), false);
    });
  }

  it("keeps an invitation that a new admin could still create, and revokes the others", async () => {
    const [member, admin] = [await inviteAs(ada, "bob@example.com"), await inviteAs(ada, "eve@example.com")];
    assert.deepEqual([await linkStatus(member), await linkStatus(admin)], [400, 400]);
    const rows = await api.auditOf(() => change({ role: "admin" }));
    assert.deepEqual([await linkStatus(member), await linkStatus(admin)], [400, 410]);
    assert.deepEqual(
      rows.filter((row) => row.operation === "revokeInvitation").map((row) => row.target_name),
      ["eve@example.com"],
    );
    await change({ role: "auditor" });
    assert.equal(await linkStatus(member), 410);
  });

  it("is invalid even if it was not revoked", async () => {
    const { token } = await makeToken(ada);
    const url = await inviteAs(ada, "bob@example.com");
    await api.db.updateTable("users").set({ role: "member" }).where("email", "=", ADA).execute();
    assert.deepEqual([await isValid(token), await linkStatus(url)], [false, 410]);
    assert.equal((await new Browser(api.service).accept(url)).status, 410);
    const { data } = (await api.call("GET", "/api/users?search=bob&include_details=true")).body;
    assert.equal(data[0].invited, false);
  });

  it("keeps what it configured for the organization, and the audit log lists it (decision 0243)", async () => {
    const { id } = (await ada.api("GET", "/api/me")).body.data;
    const issuer = { name: "CI", issuer: "https://ci.example.com", audiences: ["gatehouse"], jwks_uri: null };
    const subject = { mode: "map", claim: "sub", match: "slug" };
    const created = await ada.api("POST", "/api/auth-exchange/providers", { ...issuer, subject });
    assert.equal(created.status, 201, created.text);
    await change({ role: "member" });
    const { body } = await api.call("GET", "/api/auth-exchange/providers/ci");
    assert.equal(body.data.enabled, true);
    const { body: audit } = await api.call("GET", `/api/audit?actor=${id}`);
    const operations = audit.data.map(({ operation }: { operation: string }) => operation);
    assert.ok(operations.includes("createExchangeProvider"), operations.join());
  });

  it("leaves nothing behind when it is created while the permission ends", async () => {
    const csrf = { "x-csrf-token": await ada.csrfToken() };
    const create = () => ada.api("POST", "/api/api-tokens", { name: "race", scopes: ["all"] }, csrf);
    const creates = Array.from({ length: 10 }, create);
    await Promise.all([...creates, change({ role: "member" }), ...Array.from({ length: 10 }, create)]);
    await change({ role: "owner" });
    const left = await api.db.selectFrom("api_tokens").select("id").where("name", "=", "race").execute();
    assert.deepEqual(left, []);
  });

  it("is deleted when the account is reset", async () => {
    const { token } = await makeToken(ada);
    const answer = await api.call("POST", `/api/users/invite?email=${ADA}`);
    assert.equal(await isValid(token), true);
    await new Browser(api.service).accept(answer.body.invite_url);
    assert.equal(await isValid(token), false);
  });

  describe("DELETE /api/api-tokens?include_created=true", () => {
    it("also deletes what was created with the token, and otherwise keeps it", async () => {
      const chain = async () => {
        const root = await makeToken(api.service.token, ["all"]);
        const child = await makeToken(root.token, ["all"]);
        const grandchild = await makeToken(child.token);
        const invited = await api.call(
          "POST",
          "/api/users/invite?email=bob@example.com",
          undefined,
          bearer(child.token),
        );
        return { root, child, grandchild, url: invited.body.invite_url };
      };
      const kept = await chain();
      await api.call("DELETE", `/api/api-tokens?id=${kept.root.data.id}`);
      assert.deepEqual([await isValid(kept.child.token), await linkStatus(kept.url)], [true, 400]);
      const gone = await chain();
      await api.call("DELETE", `/api/api-tokens?id=${gone.root.data.id}&include_created=true`);
      assert.deepEqual([await isValid(gone.child.token), await isValid(gone.grandchild.token)], [false, false]);
      assert.deepEqual([await linkStatus(gone.url), await isValid(kept.grandchild.token)], [410, true]);
    });
  });
});

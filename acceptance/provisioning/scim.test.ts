import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

const SCIM = { "content-type": "application/scim+json" };
const LOCKED = "managed by the identity provider through SCIM. Change it there, or detach the user from SCIM first";

forEachTarget("SCIM", (api) => {
  const person = () => {
    const userName = `${api.unique("person")}@example.com`;
    return { userName, displayName: userName, emails: [{ value: userName, type: "work", primary: true }] };
  };
  const create = async (body = person()) => api.body(201, "POST", "/scim/v2/Users", body, SCIM);

  it("creates a person, finds them by user name, and deactivates, reactivates and deletes them [API-14]", async () => {
    const body = person();
    const { id, active } = await create(body);
    assert.equal(active, true);
    const filter = encodeURIComponent(`userName eq "${body.userName.toUpperCase()}"`);
    const found = await api.body(200, "GET", `/scim/v2/Users?filter=${filter}`);
    assert.deepEqual([found.totalResults, found.Resources[0].id], [1, id]);
    for (const [value, disabled] of [
      ["False", true],
      [true, false],
    ] as const) {
      const Operations = [{ op: "Replace", path: "active", value }];
      await api.body(200, "PATCH", `/scim/v2/Users/${id}`, { Operations }, SCIM);
      const { data } = await api.body(200, "GET", `/api/users/${body.userName}`);
      assert.deepEqual([data.disabled, data.suspended, data.provisioned_by], [disabled, disabled, "scim"]);
    }
    assert.equal((await api.call("DELETE", `/scim/v2/Users/${id}`)).status, 204);
    assert.equal((await api.call("GET", `/scim/v2/Users/${id}`)).status, 404);
  });

  it("links a person by email, and rejects one that is provisioned already [API-14]", async () => {
    const { id, email } = await api.person();
    const body = { userName: email.toUpperCase(), active: true };
    assert.equal((await api.body(201, "POST", "/scim/v2/Users", body, SCIM)).id, id);
    const again = await api.body(409, "POST", "/scim/v2/Users", body, SCIM);
    assert.deepEqual([again.status, again.scimType], ["409", "uniqueness"]);
    await api.body(204, "DELETE", `/scim/v2/Users/${id}`);
  });

  it("changes the members of a group in parts [API-14]", async () => {
    const [one, two] = [await create(), await create()];
    const displayName = api.unique("pushed");
    const { id } = await api.body(201, "POST", "/scim/v2/Groups", { displayName }, SCIM);
    const path = `/scim/v2/Groups/${id}`;
    const add = [{ op: "Add", path: "members", value: [{ value: one.id }, { value: two.id }] }];
    const remove = [{ op: "Remove", path: `members[value eq "${one.id}"]` }];
    for (const Operations of [add, remove]) await api.body(204, "PATCH", path, { Operations }, SCIM);
    const { members } = await api.body(200, "GET", path);
    assert.deepEqual(
      members.map((member: { value: string }) => member.value),
      [two.id],
    );
    for (const each of [path, `/scim/v2/Users/${one.id}`, `/scim/v2/Users/${two.id}`])
      await api.body(204, "DELETE", each);
  });

  it("locks what the provider manages until it is detached [API-14]", async () => {
    const { userName } = await create();
    await api.invalid(`name: ${LOCKED}`, "PATCH", `/api/users?email=${userName}`, { name: "Other" });
    await api.invalid(`email: ${LOCKED}`, "DELETE", `/api/users?email=${userName}`);
    const detached = { data: { users_count: 1, groups_count: 0 } };
    await api.expect(200, detached, "POST", "/api/provisioning/detach", { emails: [userName] });
    await api.body(200, "DELETE", `/api/users?email=${userName}`);
  });

  it("requires the scope admin:scim, and reports errors in the form of SCIM [API-14]", async () => {
    const scopes = ["admin:read"];
    const { data, token } = await api.body(201, "POST", "/api/api-tokens", { name: api.unique("reader"), scopes });
    const refused = await api.send("/scim/v2/Users", { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual(refused.body, {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "403",
      detail: "Insufficient permissions: requires admin:scim",
    });
    assert.equal((await api.send("/scim/v2/Users")).status, 401);
    const wrong = await api.body(400, "GET", "/scim/v2/Users?filter=userName");
    assert.equal(wrong.scimType, "invalidFilter");
    await api.body(200, "DELETE", `/api/api-tokens?id=${data.id}`);
  });
});

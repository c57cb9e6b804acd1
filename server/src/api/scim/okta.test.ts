import assert from "node:assert/strict";
import { before, it } from "node:test";
import { type ApiUnderTest, forEachApi } from "#test/api";
import { createPerson } from "#test/factories";
import { SCIM, type ScimClient, scimClient } from "#test/scim-client";

/** The requests of Okta as its documentation describes them. */
forEachApi("SCIM conversation with Okta", (api: ApiUnderTest) => {
  let okta: ScimClient;
  before(async () => {
    const { token } = await api.tokenWith("admin:scim");
    okta = scimClient({ http: (path, call) => api.service.http(path, call) }, () => token);
  });
  const user = (name: string, rest: object = {}) => ({
    schemas: [SCIM.user],
    userName: `${name}@example.com`,
    name: { givenName: name, familyName: "Okta" },
    emails: [{ primary: true, value: `${name}@example.com`, type: "work" }],
    displayName: `${name} Okta`,
    locale: "en-US",
    externalId: `00u-${name}`,
    groups: [],
    password: "1mz050nq",
    active: true,
    ...rest,
  });

  it("tests the connection, then creates a user that the filter did not find", async () => {
    const first = await okta.expect(200, "GET", "/Users?startIndex=1&count=2");
    assert.deepEqual(first.schemas, [SCIM.list]);
    await okta.expect(200, "GET", "/Groups?startIndex=1&count=100");
    assert.deepEqual(await okta.find("Users", 'userName eq "ada@example.com"'), []);
    const created = await okta.call("POST", "/Users", user("ada"));
    assert.equal(created.status, 201);
    assert.match(String(created.headers["content-type"]), /^application\/scim\+json/);
    const { id, meta, ...rest } = created.body;
    assert.deepEqual(rest, {
      schemas: [SCIM.user],
      externalId: "00u-ada",
      userName: "ada@example.com",
      name: { givenName: "ada", familyName: "Okta" },
      displayName: "ada Okta",
      active: true,
      emails: [{ value: "ada@example.com", type: "work", primary: true }],
      groups: [],
    });
    assert.equal(created.headers.location, meta.location);
    assert.equal(created.headers.etag, meta.version);
    assert.equal(meta.location, `http://127.0.0.1:8080/scim/v2/Users/${id}`);
    assert.deepEqual(await okta.expect(200, "GET", `/Users/${id}`), created.body);
    assert.deepEqual(await okta.find("Users", 'userName eq "ADA@example.com"'), [created.body]);
    assert.equal((await okta.expect(409, "POST", "/Users", user("ada"))).scimType, "uniqueness");
    const { data } = (await api.call("GET", "/api/users/ada@example.com")).body;
    assert.deepEqual([data.id, data.name, data.external_id, data.provisioned_by], [id, "ada Okta", "00u-ada", "scim"]);
  });

  it("updates the profile with PUT, and deactivates and reactivates with PATCH without a path", async () => {
    const { id } = await okta.expect(201, "POST", "/Users", user("bob"));
    const changed = {
      ...user("bob"),
      id,
      name: { givenName: "Robert", familyName: "Okta" },
      displayName: "Robert Okta",
    };
    const { externalId: _, ...withoutId } = changed;
    const put = await okta.expect(200, "PUT", `/Users/${id}`, withoutId);
    assert.deepEqual([put.displayName, put.name.givenName, put.externalId], ["Robert Okta", "Robert", "00u-bob"]);
    const off = await okta.patch(`/Users/${id}`, { op: "replace", value: { active: false } });
    assert.deepEqual([off.status, off.body.active], [200, false]);
    const { data } = (await api.call("GET", "/api/users/bob@example.com")).body;
    assert.deepEqual([data.disabled, data.suspended], [true, true]);
    const { active: __, ...withoutStatus } = changed;
    assert.equal((await okta.expect(200, "PUT", `/Users/${id}`, withoutStatus)).active, false, "omitting keeps it");
    const on = await okta.patch(`/Users/${id}`, { op: "replace", value: { active: true } });
    assert.equal(on.body.active, true);
    assert.equal((await api.call("GET", "/api/users/bob@example.com")).body.data.disabled, false);
  });

  it("pushes a group with its members, renames it, replaces the members, and deletes it", async () => {
    const people = await Promise.all(
      ["carl", "dana", "emil"].map(async (name) => (await okta.expect(201, "POST", "/Users", user(name))).id),
    );
    const [carl, dana, emil] = people;
    const members = (...ids: string[]) => ids.map((value) => ({ value, display: "any" }));
    const body = { schemas: [SCIM.group], displayName: "Okta group", members: members(carl, dana) };
    const group = await okta.expect(201, "POST", "/Groups", body);
    assert.deepEqual(group.members.map((each: { value: string }) => each.value).toSorted(), [carl, dana].toSorted());
    assert.equal(
      (await okta.expect(409, "POST", "/Groups", { ...body, displayName: "OKTA group" })).scimType,
      "uniqueness",
    );
    const path = `/Groups/${group.id}`;
    const renamed = await okta.patch(path, { op: "replace", value: { id: group.id, displayName: "Renamed" } });
    assert.equal(renamed.status, 204);
    const moved = await okta.patch(
      path,
      { op: "remove", path: `members[value eq "${carl}"]` },
      { op: "add", path: "members", value: members(emil, dana) },
    );
    assert.equal(moved.status, 204);
    const read = async () => {
      const { displayName, members: list } = await okta.expect(200, "GET", path);
      return [displayName, list.map((each: { value: string }) => each.value).toSorted()];
    };
    assert.deepEqual(await read(), ["Renamed", [dana, emil].toSorted()]);
    await okta.patch(path, { op: "replace", path: "members", value: members(carl) });
    assert.deepEqual(await read(), ["Renamed", [carl]]);
    await okta.expect(200, "PUT", path, { ...body, id: group.id, members: members(dana, emil) });
    assert.deepEqual(await read(), ["Okta group", [dana, emil].toSorted()]);
    const groups = (await okta.expect(200, "GET", `/Users/${dana}`)).groups;
    assert.deepEqual(
      groups.map((each: { display: string }) => each.display),
      ["Okta group"],
    );
    await okta.expect(204, "DELETE", path);
    assert.equal((await okta.expect(404, "GET", path)).status, "404");
  });

  it("links a person who is not provisioned yet by email, and keeps their other fields", async () => {
    const id = await createPerson(api.service, "Frida", "Frida@Example.com");
    await api.call("PATCH", "/api/users?email=frida@example.com", { risk_score: 7 });
    const [found] = await okta.find("Users", 'userName eq "frida@example.com"');
    assert.deepEqual([found.id, found.userName, found.displayName], [id, "Frida@Example.com", "Frida"]);
    const linked = await okta.expect(201, "POST", "/Users", user("frida"));
    assert.equal(linked.id, id);
    const { data } = (await api.call("GET", "/api/users/frida@example.com")).body;
    assert.deepEqual([data.name, data.risk_score, data.provisioned_by], ["frida Okta", 7, "scim"]);
  });
});

import assert from "node:assert/strict";
import { before, it } from "node:test";
import { type ApiUnderTest, forEachApi } from "#test/api";
import { SCIM, type ScimClient, scimClient } from "#test/scim-client";

/** The requests of Microsoft Entra ID as its documentation describes them. */
forEachApi("SCIM conversation with Entra", (api: ApiUnderTest) => {
  let entra: ScimClient;
  before(async () => {
    const { token } = await api.tokenWith("admin:scim");
    entra = scimClient({ http: (path, call) => api.service.http(path, call) }, () => token);
  });
  const user = (name: string) => ({
    schemas: [SCIM.user, SCIM.enterprise],
    externalId: name,
    userName: `${name}@contoso.onmicrosoft.com`,
    active: true,
    addresses: null,
    displayName: name,
    emails: [{ type: "work", value: `${name}@contoso.com` }],
    meta: { resourceType: "User" },
    name: { formatted: `${name} Lastname`, familyName: "Lastname", givenName: name },
    roles: [],
    [SCIM.enterprise]: { department: "Sales", manager: { value: "x" } },
  });

  it("tests the connection with a user that does not exist", async () => {
    const none = await entra.expect(200, "GET", "/Users?filter=userName+eq+%22Nobody-7f3a%22");
    assert.deepEqual(none, { schemas: [SCIM.list], totalResults: 0, itemsPerPage: 0, startIndex: 1, Resources: [] });
    for (const path of ["/ServiceProviderConfig", "/Schemas", "/ResourceTypes"]) await entra.expect(200, "GET", path);
  });

  it("creates a user, finds it by each matching attribute, and changes it with its dialect of PATCH", async () => {
    const created = await entra.expect(201, "POST", "/Users", user("greta"));
    assert.equal(created.userName, "greta@contoso.onmicrosoft.com");
    assert.equal((await api.call("GET", "/api/users/greta@contoso.com")).status, 200);
    for (const filter of [
      'userName eq "GRETA@contoso.onmicrosoft.com"',
      'externalId eq "greta"',
      'emails[type eq "work"].value eq "greta@contoso.com"',
      'emails[type eq "work" and value eq "greta@contoso.com"]',
      `id eq "${created.id}" and active eq true`,
    ]) {
      assert.deepEqual(
        (await entra.find("Users", filter)).map(({ id }) => id),
        [created.id],
        filter,
      );
    }
    assert.deepEqual(await entra.find("Users", 'emails[type eq "home"].value eq "greta@contoso.com"'), []);
    const path = `/Users/${created.id}`;
    const changed = await entra.patch(
      path,
      { op: "Replace", path: 'emails[type eq "work"].value', value: "greta.new@contoso.com" },
      { op: "Replace", path: "name.familyName", value: "Newname" },
      { op: "Add", path: "displayName", value: "Greta N" },
      { op: "Add", path: `${SCIM.enterprise}:department`, value: "Research" },
      { op: "Add", path: `${SCIM.enterprise}:manager`, value: [{ $ref: "../Users/1", value: "1" }] },
      { op: "Remove", path: "title" },
    );
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(
      [changed.body.emails, changed.body.name.familyName, changed.body.displayName],
      [[{ value: "greta.new@contoso.com", type: "work", primary: true }], "Newname", "Greta N"],
    );
    assert.equal((await api.call("GET", "/api/users/greta.new@contoso.com")).body.data.name, "Greta N");
    const several = await entra.patch(path, {
      op: "Add",
      value: { displayName: "Greta M", "name.givenName": "G", 'emails[type eq "work"].value': "g@contoso.com" },
    });
    assert.deepEqual(
      [several.body.displayName, several.body.name.givenName, several.body.emails[0].value],
      ["Greta M", "G", "g@contoso.com"],
    );
  });

  it("disables with the text False, finds the disabled user, and restores or deletes it", async () => {
    const { id } = await entra.expect(201, "POST", "/Users", user("hugo"));
    const off = await entra.patch(`/Users/${id}`, { op: "Replace", path: "active", value: "False" });
    assert.equal(off.body.active, false);
    const [found] = await entra.find("Users", 'userName eq "hugo@contoso.onmicrosoft.com"');
    assert.equal(found.active, false);
    assert.equal((await entra.patch(`/Users/${id}`, { op: "Add", path: "active", value: "True" })).body.active, true);
    await entra.expect(204, "DELETE", `/Users/${id}`);
    await entra.expect(404, "DELETE", `/Users/${id}`);
    assert.equal((await api.call("GET", "/api/users/hugo@contoso.com")).status, 404);
  });

  it("creates an empty group, and adds and removes members in parts", async () => {
    const ids: string[] = [];
    for (const name of ["ida", "jan", "kim"]) ids.push((await entra.expect(201, "POST", "/Users", user(name))).id);
    const [ida = "", jan = "", kim = ""] = ids;
    assert.deepEqual(await entra.find("Groups", 'displayName eq "Contoso"'), []);
    const group = await entra.expect(201, "POST", "/Groups", {
      schemas: [SCIM.group],
      externalId: "8aa1a0c0",
      displayName: "Contoso",
      meta: { resourceType: "Group" },
    });
    assert.deepEqual(group.members, []);
    const path = `/Groups/${group.id}`;
    const add = (...values: string[]) => ({
      op: "Add",
      path: "members",
      value: values.map((value) => ({ $ref: null, value })),
    });
    assert.equal((await entra.patch(path, add(ida, jan))).status, 204);
    assert.equal((await entra.patch(path, add(jan, kim))).status, 204);
    const members = async () =>
      (await entra.expect(200, "GET", path)).members.map((each: { value: string }) => each.value).toSorted();
    assert.deepEqual(await members(), ids.toSorted());
    const remove = { op: "Remove", path: "members", value: [{ $ref: null, value: ida }] };
    assert.equal((await entra.patch(path, remove)).status, 204);
    assert.equal((await entra.patch(path, remove)).status, 204, "removing again succeeds");
    assert.deepEqual(await members(), [jan, kim].toSorted());
    await entra.patch(path, { op: "Remove", path: `members[value eq "${kim}"]` });
    assert.deepEqual(await members(), [jan]);
    for (const [member, count] of [
      [jan, 1],
      [ida, 0],
    ] as const) {
      const byMember = `id eq "${group.id}" and members eq "${member}"`;
      assert.equal((await entra.find("Groups", byMember)).length, count);
      assert.equal((await entra.find("Groups", `members.value eq "${member}"`)).length, count);
    }
    const without = await entra.expect(
      200,
      "GET",
      `/Groups?excludedAttributes=members&filter=displayName+eq+%22contoso%22`,
    );
    assert.deepEqual([without.totalResults, without.Resources[0].members], [1, undefined]);
    await entra.patch(path, { op: "Replace", path: "displayName", value: "Contoso 2" });
    assert.equal((await entra.find("Groups", 'externalId eq "8aa1a0c0"'))[0].displayName, "Contoso 2");
  });
});

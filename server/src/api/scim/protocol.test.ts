import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { SCIM, scimClient } from "#test/scim-client";

forEachApi("SCIM protocol", (api) => {
  let token = "";
  const idp = scimClient({ http: (path, call) => api.service.http(path, call) }, () => token);
  const person = (name: string, rest: object = {}) => ({ userName: `${name}@example.com`, displayName: name, ...rest });
  const ids: Record<string, string> = {};
  before(async () => {
    token = (await api.tokenWith("admin:scim")).token;
    for (const name of ["ada", "bob", "eve"]) ids[name] = (await idp.expect(201, "POST", "/Users", person(name))).id;
    const members = [{ value: ids.ada }];
    ids.group = (await idp.expect(201, "POST", "/Groups", { displayName: "Engineering", members })).id;
  });

  it("pages with startIndex and count (API-14)", async () => {
    const page = async (query: string) => {
      const { totalResults, startIndex, itemsPerPage, Resources } = await idp.expect(200, "GET", `/Users?${query}`);
      return [
        totalResults,
        startIndex,
        itemsPerPage,
        Resources.map((each: { displayName: string }) => each.displayName),
      ];
    };
    assert.deepEqual(await page("count=2"), [3, 1, 2, ["ada", "bob"]]);
    assert.deepEqual(await page("startIndex=3&count=2"), [3, 3, 1, ["eve"]]);
    assert.deepEqual(await page("startIndex=9"), [3, 9, 0, []]);
    assert.deepEqual(await page("startIndex=-5&count=1"), [3, 1, 1, ["ada"]]);
    assert.deepEqual(await page("count=0"), [3, 1, 0, []]);
    assert.deepEqual(await page("count=100000"), [3, 1, 3, ["ada", "bob", "eve"]]);
    const filter = encodeURIComponent('userName co "b" or userName sw "eve"');
    assert.deepEqual(await page(`filter=${filter}&startIndex=2&count=5`), [2, 2, 1, ["eve"]]);
    for (const query of ["count=x", "startIndex=1.5", "count=1e3", "startIndex=99999999999"]) {
      assert.equal((await idp.expect(400, "GET", `/Users?${query}`)).scimType, "invalidValue", query);
    }
  });

  it("returns only the requested attributes", async () => {
    const one = (query: string) => idp.expect(200, "GET", `/Users/${ids.ada}?${query}`);
    assert.deepEqual(await one("attributes=userName"), {
      schemas: [SCIM.user],
      id: ids.ada,
      userName: "ada@example.com",
    });
    const nested = await one("attributes=emails.value,urn:ietf:params:scim:schemas:core:2.0:User:active");
    assert.deepEqual(nested, {
      ...{ schemas: [SCIM.user], id: ids.ada, active: true },
      emails: [{ value: "ada@example.com" }],
    });
    const rest = await one("excludedAttributes=groups,emails.type,id");
    assert.deepEqual(
      [rest.id, rest.groups, rest.emails],
      [ids.ada, undefined, [{ value: "ada@example.com", primary: true }]],
    );
    const patched = await idp.call("PATCH", `/Groups/${ids.group}?attributes=displayName`, {
      Operations: [{ op: "replace", path: "displayName", value: "Engineering" }],
    });
    assert.deepEqual([patched.status, patched.body.displayName, patched.body.members], [200, "Engineering", undefined]);
  });

  it("supports ETags: If-None-Match for reads, If-Match for writes", async () => {
    const read = await idp.call("GET", `/Users/${ids.bob}`);
    const etag = String(read.headers.etag);
    assert.match(etag, /^W\/"[\w-]{22}"$/);
    const cached = await idp.call("GET", `/Users/${ids.bob}`, undefined, { "if-none-match": `"x", ${etag}` });
    assert.deepEqual([cached.status, cached.text], [304, ""]);
    const rename = (displayName: string, match: string) =>
      idp.call(
        "PATCH",
        `/Users/${ids.bob}`,
        { Operations: [{ op: "replace", value: { displayName } }] },
        { "if-match": match },
      );
    assert.equal((await rename("Bobby", etag)).status, 200);
    const stale = await rename("Robert", etag);
    assert.deepEqual([stale.status, stale.body.status], [412, "412"]);
    assert.equal((await rename("Rob", "*")).status, 200);
    assert.equal((await idp.call("DELETE", `/Users/${ids.bob}`, undefined, { "if-match": etag })).status, 412);
    const group = await idp.call("GET", `/Groups/${ids.group}`);
    const match = { "if-match": String(group.headers.etag) };
    const add = { Operations: [{ op: "add", path: "members", value: [{ value: ids.eve }] }] };
    assert.equal((await idp.call("PATCH", `/Groups/${ids.group}`, add, match)).status, 204);
    assert.equal((await idp.call("PATCH", `/Groups/${ids.group}`, add, match)).status, 412);
  });

  it("writes nothing to the audit log if a request changes nothing", async () => {
    const rows = await api.auditOf(async () => {
      await idp.expect(200, "PUT", `/Users/${ids.ada}`, person("ada"));
      await idp.patch(`/Users/${ids.ada}`, { op: "replace", path: "active", value: "True" });
      await idp.patch(`/Groups/${ids.group}`, { op: "add", path: "members", value: [{ value: ids.ada }] });
    });
    assert.deepEqual(rows, []);
  });

  it("describes itself", async () => {
    const config = await idp.expect(200, "GET", "/ServiceProviderConfig");
    assert.deepEqual([config.patch.supported, config.etag.supported, config.bulk.supported], [true, true, false]);
    for (const path of ["/Schemas", "/ResourceTypes"]) {
      const { Resources, totalResults } = await idp.expect(200, "GET", path);
      assert.equal(totalResults, 2);
      for (const { id } of Resources) assert.equal((await idp.expect(200, "GET", `${path}/${id}`)).id, id);
    }
    await idp.expect(404, "GET", "/Schemas/urn:unknown");
  });

  describe("hostile requests", () => {
    it("are rejected with a SCIM error, and change nothing", async () => {
      const path = `/Users/${ids.ada}`;
      const deep = `{"userName":"x@example.com","name":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`;
      const many = { Operations: Array.from({ length: 1_001 }, () => ({ op: "add", path: "title", value: "x" })) };
      const op = (...Operations: unknown[]) => ({ Operations });
      const table: readonly [status: number, type: string | undefined, method: string, path: string, body?: unknown][] =
        [
          [400, "invalidSyntax", "POST", "/Users", "{"],
          [400, "invalidSyntax", "POST", "/Users", "[]"],
          [400, "invalidSyntax", "POST", "/Users", "null"],
          [400, "invalidSyntax", "POST", "/Users", deep],
          [400, "invalidSyntax", "POST", "/Users", '{"userName":"a@example.com","USERNAME":"b@example.com"}'],
          [400, "invalidValue", "POST", "/Users", {}],
          [400, "invalidValue", "POST", "/Users", { userName: "" }],
          [400, "invalidValue", "POST", "/Users", { userName: 7 }],
          [400, "invalidValue", "POST", "/Users", { userName: "no-email" }],
          [400, "invalidValue", "POST", "/Users", person("x", { emails: [{ value: "not an email" }] })],
          [400, "invalidValue", "POST", "/Users", person("x", { emails: [{ value: "a@b.example\r\nbcc: x" }] })],
          [400, "invalidValue", "POST", "/Users", person("x", { displayName: "a\u0000b" })],
          [400, "invalidValue", "POST", "/Users", person("x", { displayName: "x".repeat(256) })],
          [400, "invalidValue", "POST", "/Users", person("x", { active: "maybe" })],
          [400, "invalidValue", "POST", "/Users", person("x", { name: "text" })],
          [400, "invalidValue", "POST", "/Users", person("x", { emails: Array(21).fill({ value: "x@example.com" }) })],
          [400, "invalidSyntax", "PATCH", path, {}],
          [400, "invalidSyntax", "PATCH", path, { Operations: "x" }],
          [400, "invalidSyntax", "PATCH", path, op()],
          [400, "invalidSyntax", "PATCH", path, op(null)],
          [400, "invalidSyntax", "PATCH", path, op({ op: "move", path: "active", value: true })],
          [400, "invalidSyntax", "PATCH", path, many],
          [400, "noTarget", "PATCH", path, op({ op: "remove" })],
          [400, "invalidValue", "PATCH", path, op({ op: "replace", value: "x" })],
          [400, "invalidValue", "PATCH", path, op({ op: "replace", path: "active" })],
          [400, "invalidPath", "PATCH", path, op({ op: "replace", path: "emails[", value: 1 })],
          [400, "invalidPath", "PATCH", path, op({ op: "replace", path: 7, value: 1 })],
          [400, "invalidValue", "PATCH", path, op({ op: "remove", path: "userName" })],
          [400, "invalidValue", "PATCH", path, op({ op: "remove", path: "active" })],
          // The first operation is valid; none is applied.
          [
            400,
            "invalidValue",
            "PATCH",
            path,
            op({ op: "replace", path: "displayName", value: "Z" }, { op: "replace", path: "active", value: 7 }),
          ],
          [400, "invalidValue", "POST", "/Groups", {}],
          [400, "invalidValue", "POST", "/Groups", { displayName: "x", members: [{ value: "usr_unknown" }] }],
          [400, "invalidValue", "POST", "/Groups", { displayName: "x", members: [{}] }],
          [
            400,
            "invalidValue",
            "POST",
            "/Groups",
            { displayName: "x", members: [{ value: ids.group, type: "Group" }] },
          ],
          [
            400,
            "invalidPath",
            "PATCH",
            `/Groups/${ids.group}`,
            op({ op: "add", path: 'members[value eq "x"]', value: 1 }),
          ],
          [
            400,
            "mutability",
            "PATCH",
            `/Groups/${ids.group}`,
            op({ op: "replace", path: "members.display", value: "x" }),
          ],
          [400, "invalidFilter", "GET", "/Users?filter=userName"],
          [400, "invalidFilter", "GET", `/Groups?filter=${encodeURIComponent('displayName eq "')}`],
          [400, "invalidFilter", "GET", `/Users?filter=${encodeURIComponent('userName eq "\\u0000"')}`],
          [400, "invalidFilter", "GET", `/Users?filter=${encodeURIComponent('externalId eq "\\ud800"')}`],
          [400, "invalidValue", "POST", "/Groups", { displayName: "x", members: [{ value: "a\u0000b" }] }],
          [404, undefined, "GET", "/Users/usr_unknown"],
          [404, undefined, "GET", "/Users/%00"],
          [404, undefined, "PUT", "/Users/usr_unknown", person("x")],
          [404, undefined, "DELETE", "/Groups/' or 1=1"],
          [404, undefined, "POST", "/Bulk", {}],
          [404, undefined, "GET", "/Me"],
          [404, undefined, "DELETE", "/Users"],
          [413, undefined, "POST", "/Users", person("x", { title: "x".repeat(1_100_000) })],
        ];
      const before = await api.everything();
      for (const [status, scimType, method, url, body] of table) {
        const answer = await idp.call(method, url.replace(/ /g, "%20"), body);
        const what = `${method} ${url} ${JSON.stringify(body)?.slice(0, 100)}: ${answer.text.slice(0, 200)}`;
        assert.equal(answer.status, status, what);
        assert.deepEqual(answer.body.schemas, [SCIM.error], what);
        assert.deepEqual([answer.body.status, answer.body.scimType], [String(status), scimType], what);
        assert.match(String(answer.headers["content-type"]), /^application\/scim\+json/);
        assert.equal(typeof answer.body.detail, "string");
      }
      const after = await api.everything();
      for (const table of Object.keys(before)) {
        if (table !== "scim_state") assert.deepEqual(after[table], before[table], table);
      }
    });

    it("need a valid token and a supported content type", async () => {
      for (const [headers, status] of [
        [{}, 401],
        [bearer("wrong"), 401],
        [{ authorization: "Basic eDp5" }, 401],
      ] as const) {
        for (const path of ["/Users", "/ServiceProviderConfig", "/Unknown"]) {
          const answer = await api.service.http(`/scim/v2${path}`, { headers });
          assert.deepEqual([answer.status, answer.body.status], [status, "401"], path);
          assert.equal(answer.headers["www-authenticate"], "Bearer");
        }
      }
      const text = await idp.call("POST", "/Users", "userName=x", {
        "content-type": "application/x-www-form-urlencoded",
      });
      assert.deepEqual([text.status, text.body.status], [415, "415"]);
      const json = await idp.call("POST", "/Users", person("json"), {
        "content-type": "application/json; charset=utf-8",
      });
      assert.equal(json.status, 201);
    });
  });
});

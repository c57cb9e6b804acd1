import assert from "node:assert/strict";
import { before, it } from "node:test";
import { bearer, onSqliteApi } from "#test/api";
import { createGroup, createMachineUser } from "#test/factories";

/** 401 → 403 → query → body → 404 → references: each step removes one fault and expects the error of the next. */
onSqliteApi("the order of checks", (api) => {
  let reader = "";
  let writer = "";
  before(async () => {
    reader = (await api.tokenWith("admin:read")).token;
    writer = (await api.tokenWith("admin:write")).token;
    await createGroup(api.service, "known");
    await createMachineUser(api.service, "bot");
  });
  const send = async (method: string, path: string, token: string | undefined, body: string) => {
    const headers = { "content-type": "application/json", ...(token === undefined ? {} : bearer(token)) };
    const answer = await api.service.http(path, { method, headers, body });
    return [answer.status, answer.body?.error ?? answer.body?.message];
  };

  it("applies to an update", async () => {
    const steps = [
      [undefined, "", "{", 401, "Unauthorized"],
      [reader, "", "{", 403, "Insufficient permissions: requires admin:write"],
      [writer, "", "{", 400, "email query parameter is required"],
      [writer, "?email=nobody@example.com", "{", 400, "body: must be valid JSON"],
      [writer, "?email=nobody@example.com", '{"owner_ids":[1]}', 400, "owner_ids.0: must be a string"],
      [writer, "?email=nobody@example.com", '{"owner_ids":["x"]}', 404, "User not found: nobody@example.com"],
      [writer, "?email=bot@machine.example.com", '{"owner_ids":["x"]}', 400, "owner_ids: user not found: x"],
    ] as const;
    for (const [token, query, body, ...wanted] of steps) {
      assert.deepEqual(await send("PATCH", `/api/users${query}`, token, body), wanted);
    }
  });

  it("applies to an addition to a group", async () => {
    const steps = [
      ["%20", '{"slugs":[]}', 400, "name: name is required"],
      ["nowhere", '{"slugs":[]}', 400, "slugs: slugs array cannot be empty"],
      ["nowhere", '{"slugs":["x"]}', 404, "Group not found"],
      ["known", '{"slugs":["x"]}', 400, "Integrations not found: x"],
    ] as const;
    for (const [name, body, ...wanted] of steps) {
      assert.deepEqual(await send("POST", `/api/groups/${name}/integrations`, writer, body), wanted);
    }
  });

  it("checks the fields of a body in the order of the spec's table", async () => {
    const faults: Record<string, unknown> = {
      auth_settings: { howtoMarkdown: 1, client: 1, tokenUrl: 1, authUrl: 1, clientId: 1, authType: 1 },
      status: 1,
      description: 1,
      mcp_proxy: 1,
      slug: 1,
    };
    const named: string[] = [];
    const healthy: Record<string, unknown> = { name: "a", slug: "a", mcp_proxy: '{"url":"http://x/"}' };
    const next = async () => {
      const answer = await send("POST", "/api/mcp-servers?slug=x", writer, JSON.stringify(faults));
      const field = String(answer[1]).split(":")[0] ?? "";
      named.push(field);
      return field;
    };
    for (const field of ["name", "slug", "mcp_proxy", "description", "status"]) {
      assert.equal(await next(), field);
      faults[field] = healthy[field] ?? (field === "status" ? "draft" : "text");
    }
    const auth = { ...(faults.auth_settings as Record<string, unknown>) };
    for (const key of ["authType", "clientId", "authUrl", "tokenUrl", "client", "howtoMarkdown"]) {
      faults.auth_settings = auth;
      assert.equal(await next(), `auth_settings.${key}`);
      delete auth[key];
    }
    const person = async (body: object) => (await send("POST", "/api/users", writer, JSON.stringify(body)))[1];
    assert.match(await person({ owner_ids: [] }), /^name: /);
    assert.match(await person({ name: "a", owner_ids: [] }), /^email: /);
    assert.match(await person({ name: "a", email: "a@example.com", owner_ids: [], client_credentials: {} }), /^owner_/);
    assert.equal(named.length, 11);
  });

  it("checks the version together with the parameters", async () => {
    const headers = { "service-api-version": "2" };
    assert.equal((await api.call("PATCH", "/api/users", {}, { ...headers, ...bearer(reader) })).status, 403);
    const message = 'Service-API-Version: unsupported version "2", supported: 1';
    const answer = await api.call("PATCH", "/api/users", undefined, headers);
    assert.deepEqual(answer.body, { code: "INVALID_FORMAT", message });
  });
});

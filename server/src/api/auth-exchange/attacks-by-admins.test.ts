import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { createMachineUser, createPerson } from "#test/factories";
import { SCIM, scimClient } from "#test/scim-client";
import { startTokenIssuer, type TokenIssuer } from "#test/token-issuer";

const ADA = "ada@example.com";
const PROVIDERS = "/api/auth-exchange/providers";
const ACTS_AS_PEOPLE = "Insufficient permissions: requires all, because tokens of this issuer can act as people";
const IDENTIFIES = "Insufficient permissions: requires all, because trusted issuers identify people by external_id";

forEachApi("attacks on people with a token for admin:write", (api) => {
  let idp: TokenIssuer;
  let weak: Record<string, string>;
  let robot: string;
  before(async () => {
    idp = await startTokenIssuer();
    await createPerson(api.service, "Ada", ADA);
    robot = (await createMachineUser(api.service, "Robot")).email;
    weak = bearer((await api.tokenWith("admin:write")).token);
  });
  after(() => idp?.close());

  const send = async (method: string, path: string, body: object, headers?: Record<string, string>) => {
    const { status, body: answer } = await api.call(method, path, body, headers);
    return [status, answer.error ?? answer.message] as const;
  };
  const attack = (method: string, path: string, body: object) => send(method, path, body, weak);
  const people = (audience: string, rest: object = {}) => ({
    ...{ name: audience, issuer: idp.issuer, jwks: idp.jwks(), audiences: [audience], require_api_key: false, ...rest },
  });
  const byEmail = { mode: "map", claim: "email", match: "email" };

  it("cannot trust an issuer whose tokens select people, but one for machine users", async () => {
    for (const subject of [undefined, null, byEmail, { mode: "map" }, { mode: "map", match: "external_id" }]) {
      assert.deepEqual(await attack("POST", PROVIDERS, people("mine", { subject })), [403, ACTS_AS_PEOPLE]);
    }
    assert.equal(
      (await attack("POST", PROVIDERS, people("slugs", { subject: { mode: "map", match: "slug" } })))[0],
      201,
    );
    const fixed = { mode: "fixed", machine_user: robot };
    assert.equal((await attack("POST", PROVIDERS, people("robot", { subject: fixed })))[0], 201);
    assert.equal((await attack("PATCH", `${PROVIDERS}?slug=robot`, { audiences: ["robots"] }))[0], 200);
    const redirected = await attack("PATCH", `${PROVIDERS}?slug=robot`, { subject: byEmail });
    assert.deepEqual(redirected, [403, ACTS_AS_PEOPLE]);
    assert.equal((await send("PATCH", `${PROVIDERS}?slug=robot`, { subject: byEmail }))[0], 200);
  });

  it("cannot change such an issuer except its name and to disable it", async () => {
    const { conditions, ...trusted } = {
      ...people("trusted", { subject: byEmail }),
      conditions: [{ claim: "team", operator: "equals", value: "a" }],
    };
    assert.equal((await send("POST", PROVIDERS, { ...trusted, conditions }))[0], 201);
    const own = await startTokenIssuer();
    await own.close();
    const path = `${PROVIDERS}?slug=trusted`;
    for (const change of [
      { issuer: own.issuer },
      { jwks: own.jwks() },
      { jwks: null, jwks_uri: `${own.issuer}/keys` },
      { audiences: ["trusted", "more"] },
      { algorithms: ["RS256"] },
      { conditions: [] },
      { subject: { ...byEmail, claim: "nickname" } },
      { subject: { ...byEmail, require_verified_email: false } },
      { subject: { mode: "fixed", machine_user: robot } },
      { provision: { create_users: true } },
      { token: { access_ttl_seconds: 3_600 } },
      { max_age_seconds: 86_400 },
      { one_time_jti: true },
      { require_api_key: true },
      { passthrough: true },
    ]) {
      assert.deepEqual(await attack("PATCH", path, change), [403, ACTS_AS_PEOPLE], JSON.stringify(change));
    }
    assert.equal((await attack("PATCH", path, { ...trusted, conditions, name: "Renamed" }))[0], 200);
    assert.equal((await attack("PATCH", path, { enabled: false }))[0], 200);
    assert.deepEqual(await attack("PATCH", path, { enabled: true }), [403, ACTS_AS_PEOPLE]);
    assert.equal((await send("PATCH", path, { enabled: true, conditions: [] }))[0], 200);
  });

  it("cannot trust such an issuer with a configuration", async () => {
    const config = { issuers: [{ slug: "applied", ...people("applied", { subject: byEmail }) }] };
    const before = (await api.call("GET", `${PROVIDERS}/applied`)).status;
    for (const operation of ["plan", "apply"]) {
      const [status, error] = await attack("POST", `/api/config/${operation}`, { config });
      assert.equal(status, 403, operation);
      assert.match(String(error), /requires all, because tokens of this issuer can act as people$/);
    }
    assert.equal(before, 404);
    assert.equal((await api.call("GET", `${PROVIDERS}/applied`)).status, 404);
    assert.equal((await send("POST", "/api/config/apply", { config }))[0], 200);
    assert.equal((await api.call("GET", `${PROVIDERS}/applied`)).status, 200);
    assert.equal((await attack("POST", "/api/config/apply", { config }))[0], 200, "an unchanged issuer");
  });

  it("cannot set, change or remove the external ID of a person, but of a machine user", async () => {
    const path = `/api/users?email=${ADA}`;
    assert.deepEqual(await attack("PATCH", path, { external_id: "mine" }), [403, IDENTIFIES]);
    assert.equal((await send("PATCH", path, { external_id: "00u1" }))[0], 200);
    for (const external_id of ["mine", null]) {
      assert.deepEqual(await attack("PATCH", path, { external_id }), [403, IDENTIFIES]);
    }
    assert.equal((await attack("PATCH", path, { external_id: "00u1", risk_score: 3 }))[0], 200);
    const created = { name: "Lea", email: "lea@example.com" };
    assert.deepEqual(await attack("POST", "/api/users", { ...created, external_id: "mine" }), [403, IDENTIFIES]);
    assert.equal((await attack("POST", "/api/users", created))[0], 201);
    assert.equal((await attack("PATCH", `/api/users?email=${robot}`, { external_id: "mine" }))[0], 200);
  });

  it("cannot change how people are identified through SCIM, but the identity provider can", async () => {
    let token = "";
    const scim = scimClient({ http: (path, call) => api.service.http(path, call) }, () => token);
    const person = { schemas: [SCIM.user], userName: "eve@example.com", emails: [{ value: "eve@example.com" }] };
    token = (await api.tokenWith("admin:write")).token;
    await scim.expect(403, "POST", "/Users", { ...person, externalId: "mine" });
    await scim.expect(403, "POST", "/Users", { ...person, userName: "mallory@example.com" });
    const { id } = await scim.expect(201, "POST", "/Users", person);
    const changes = {
      externalId: "mine",
      userName: "mallory@example.com",
      emails: [{ value: "mallory@example.com", primary: true }],
    };
    const patch = (path: string, value: unknown) => ({
      schemas: [SCIM.patch],
      Operations: [{ op: "replace", path, value }],
    });
    for (const [name, value] of Object.entries(changes)) {
      const { detail } = await scim.expect(403, "PATCH", `/Users/${id}`, patch(name, value));
      assert.match(detail, /changing it for a person requires an API token with the scope admin:scim$/);
    }
    await scim.expect(200, "PATCH", `/Users/${id}`, patch("displayName", "Eve"));
    token = (await api.tokenWith("admin:scim")).token;
    for (const [name, value] of Object.entries(changes)) {
      await scim.expect(200, "PATCH", `/Users/${id}`, patch(name, value));
    }
  });
});

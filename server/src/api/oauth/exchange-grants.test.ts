import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JWTPayload } from "jose";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createSyncedServer } from "#test/factories";
import { McpClient } from "#test/mcp-client";
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from "#test/token-issuer";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const BASE = "http://127.0.0.1:8080";
const ADA = "ada@example.com";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TYPE = "urn:ietf:params:oauth:token-type:";
const ID_JAG = { typ: "oauth-id-jag+jwt" };

forEachApi(
  "grants of the token endpoint for tokens of trusted issuers",
  (api) => {
    let idp: TokenIssuer;
    let upstream: RawUpstream;
    let client: McpClient;
    before(async () => {
      idp = await startTokenIssuer(api.clock);
      upstream = await startRawUpstream();
      await createSyncedServer(api.service, "Echo", upstream.url);
      await createPerson(api.service, "Ada", ADA);
      await createGroup(api.service, "people", { slugs: ["echo"], emails: [ADA] });
      const create = (body: object) =>
        api.call("POST", "/api/auth-exchange/providers", { issuer: idp.issuer, ...body });
      const made = [
        await create({ name: "Keyed", audiences: [AUDIENCE] }),
        await create({ name: "Public", audiences: ["public"], require_api_key: false }),
        await create({ name: "Enterprise", audiences: [BASE], require_api_key: false }),
      ];
      for (const { status, text } of made) assert.equal(status, 201, text);
      client = new McpClient(api.service);
      await client.register();
    });
    after(() => Promise.all([idp?.close(), upstream?.close()]));

    const person = (rest: object = {}): JWTPayload => ({ sub: "u1", email: ADA, email_verified: true, ...rest });
    const request = (params: Record<string, string>, headers: Record<string, string> = {}, path = "/oauth/token") =>
      api.service.http(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams(params).toString(),
      });
    const exchange = (token: string, rest: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      request(
        { grant_type: EXCHANGE, subject_token: token, subject_token_type: `${TYPE}jwt`, ...rest },
        { "x-api-key": api.service.token, ...headers },
      );
    const list = (token: string, path = "/mcp") =>
      api.service.http(path, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    const error = async (answer: Promise<{ status: number; body: { error: string } }>) => {
      const { status, body } = await answer;
      return [status, body.error];
    };

    it("are advertised", async () => {
      const { body } = await api.service.http("/.well-known/oauth-authorization-server");
      assert.deepEqual(body.grant_types_supported, ["authorization_code", "refresh_token", EXCHANGE, BEARER]);
      assert.deepEqual(body.authorization_grant_profiles_supported, ["urn:ietf:params:oauth:grant-profile:id-jag"]);
    });

    it("exchange a token (RFC 8693), refresh it, and revoke it", async () => {
      const { status, body, headers } = await exchange(await idp.sign(person()), { resource: `${BASE}/mcp` });
      assert.equal(status, 200);
      assert.equal(headers["cache-control"], "no-store");
      const { access_token: token, refresh_token, ...rest } = body;
      assert.deepEqual(rest, {
        ...{ token_type: "Bearer", expires_in: 900, scope: "mcp", issued_token_type: `${TYPE}access_token` },
      });
      assert.equal((await list(token)).body.result.tools.length, 2);
      const again = await request({ grant_type: "refresh_token", refresh_token });
      assert.equal(again.status, 200);
      const reused = await request({ grant_type: "refresh_token", refresh_token });
      assert.deepEqual([reused.status, reused.body.error], [400, "invalid_grant"]);
      assert.equal((await list(again.body.access_token)).status, 401);
      const other = (await exchange(await idp.sign(person()))).body;
      assert.equal((await request({ token: other.access_token }, {}, "/oauth/revoke")).status, 200);
      assert.equal((await list(other.access_token)).status, 401);
    });

    it("limit a token to the requested resource", async () => {
      const { body } = await exchange(await idp.sign(person()), { resource: `${BASE}/mcp/echo` });
      assert.equal((await list(body.access_token, "/mcp/echo")).status, 200);
      assert.equal((await list(body.access_token)).status, 401);
      for (const wrong of [{ resource: "https://other.example/mcp" }, { audience: "https://other.example" }]) {
        assert.deepEqual(await error(exchange(await idp.sign(person()), wrong)), [400, "invalid_target"]);
      }
    });

    it("answer invalid requests with OAuth errors", async () => {
      const token = await idp.sign(person());
      for (const [rest, expected] of [
        [{ subject_token: "" }, [400, "invalid_request"]],
        [{ subject_token: "x" }, [400, "invalid_request"]],
        [{ subject_token_type: `${TYPE}saml2` }, [400, "invalid_request"]],
        [{ requested_token_type: `${TYPE}refresh_token` }, [400, "invalid_request"]],
        [{ actor_token: token }, [400, "invalid_request"]],
      ] as const) {
        assert.deepEqual(await error(exchange(token, rest)), expected, JSON.stringify(rest));
      }
      assert.deepEqual(await error(exchange(await idp.sign(person({ aud: "x" })))), [400, "invalid_request"]);
      const assertion = await idp.sign(person({ aud: "x" }));
      const key = { "x-api-key": api.service.token };
      assert.deepEqual(await error(request({ grant_type: BEARER, assertion }, key)), [400, "invalid_grant"]);
      assert.deepEqual(await error(request({ grant_type: BEARER }, key)), [400, "invalid_request"]);
    });

    it("require an API token in x-api-key where the provider does", async () => {
      const token = await idp.sign(person());
      const form = { grant_type: EXCHANGE, subject_token: token, subject_token_type: `${TYPE}id_token` };
      assert.deepEqual(await error(request(form)), [401, "invalid_client"]);
      assert.deepEqual(await error(request(form, { "x-api-key": "wrong" })), [401, "invalid_client"]);
      const weak = (await api.tokenWith("admin:write")).token;
      assert.deepEqual(await error(request(form, { "x-api-key": weak })), [403, "unauthorized_client"]);
      const open = await idp.sign(person({ aud: "public" }));
      assert.equal((await request({ ...form, subject_token: open })).status, 200);
      assert.equal((await request({ grant_type: BEARER, assertion: open })).status, 200);
    });

    const assertion = (rest: object = {}, options = ID_JAG) =>
      idp.sign(
        person({ aud: BASE, client_id: client.clientId, resource: `${BASE}/mcp`, jti: crypto.randomUUID(), ...rest }),
        options,
      );
    const present = (token: string, clientId = client.clientId, rest: Record<string, string> = {}) =>
      request({ grant_type: BEARER, assertion: token, client_id: clientId, ...rest });

    it("accept an identity assertion of a registered client, once", async () => {
      const token = await assertion();
      const { status, body } = await present(token);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(Object.keys(body).sort(), ["access_token", "expires_in", "scope", "token_type"]);
      assert.equal((await list(body.access_token)).body.result.tools.length, 2);
      assert.deepEqual(await error(present(token)), [400, "invalid_grant"]);
      const [row] = (await api.call("GET", "/api/auth-exchange/credentials?provider=enterprise")).body.data;
      assert.deepEqual([row.client_id, row.user_email], [client.clientId, ADA]);
    });

    it("refuse an identity assertion for another client, resource or server, or without a client", async () => {
      const stranger = new McpClient(api.service);
      await stranger.register();
      const refused = [400, "invalid_grant"];
      assert.deepEqual(await error(present(await assertion(), stranger.clientId)), refused);
      assert.deepEqual(await error(present(await assertion({ client_id: undefined }))), refused);
      assert.deepEqual(await error(present(await assertion({ resource: "https://other.example/mcp" }))), refused);
      assert.deepEqual(await error(present(await assertion({ resource: undefined }))), refused);
      assert.deepEqual(await error(present(await assertion({ aud: [BASE, "https://other.example"] }))), refused);
      assert.deepEqual(await error(present(await assertion({ aud: AUDIENCE }))), [401, "invalid_client"]);
      assert.deepEqual(await error(present(await assertion({ jti: undefined }))), refused);
      const narrow = { resource: `${BASE}/mcp/echo` };
      assert.deepEqual(await error(present(await assertion(), client.clientId, narrow)), [400, "invalid_target"]);
      const unknown = await present(await assertion({ client_id: "cli_unknown" }), "cli_unknown");
      assert.deepEqual([unknown.status, unknown.body.error], [401, "invalid_client"]);
      const { status } = await request({ grant_type: BEARER, assertion: await assertion() });
      assert.ok(status === 400 || status === 401);
      // As another type it would not be bound to the client.
      assert.deepEqual(await error(exchange(await assertion())), [400, "invalid_request"]);
    });

    it("limit an identity assertion to the server it names", async () => {
      const { body } = await present(await assertion({ resource: `${BASE}/mcp/echo` }));
      assert.equal((await list(body.access_token, "/mcp/echo")).status, 200);
      assert.equal((await list(body.access_token)).status, 401);
    });
  },
  { clock: "by-hand" },
);

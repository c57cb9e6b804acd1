import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { after, before, it } from "node:test";
import { deleteArtifactsBefore, trimNeverUsed } from "#records/oauth-artifacts";
import { forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { createGroup, createServer, createSyncedServer } from "#test/factories";
import { CALLBACK, McpClient } from "#test/mcp-client";
import { GOOD_PASSWORD } from "#test/passwords";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const BASE = "http://127.0.0.1:8080";
const ADA = "ada@example.com";
const HOUR_MS = 60 * 60 * 1000;

forEachApi(
  "people's MCP clients",
  (api) => {
    let upstream: RawUpstream;
    let ada: Browser;
    before(async () => {
      upstream = await startRawUpstream();
      await createSyncedServer(api.service, "Echo", upstream.url);
      ada = await signedInAs(api.service, "member", ADA);
      await createGroup(api.service, "people", { slugs: ["echo"], emails: [ADA] });
    });
    after(() => upstream?.close());

    const list = (token: string, target = "/mcp") =>
      api.service.http(target, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });

    it("register, get consent, and call with the issued token", async () => {
      const client = new McpClient(api.service);
      await client.register();
      const audits = await api.auditOf(() => client.agree(ada));
      const tokens = await client.connect(ada);
      assert.match(tokens.access_token, /^gh_oa_/);
      assert.deepEqual([tokens.expires_in, tokens.scope], [3600, "mcp"]);
      assert.equal((await list(tokens.access_token)).body.result.tools.length, 2);
      const [row] = (await api.call("GET", "/api/logs?limit=1")).body.data;
      assert.deepEqual([row.user_email, row.via, row.client_id], [ADA, "oauth", client.clientId]);
      const [audit] = audits;
      assert.deepEqual(
        [audit?.actor_name, audit?.after],
        [
          ADA,
          {
            client_id: client.clientId,
            client_name: "Test Client",
            redirect_uri: CALLBACK,
            resource_path: null,
          },
        ],
      );
    });

    it("receive issuer and state, and can use any loopback port", async () => {
      const client = new McpClient(api.service);
      await client.register({ application_type: "web", scope: "openid whatever", client_name: "Port" });
      const redirect_uri = "http://127.0.0.1:50123/callback";
      const back = await client.agree(ada, { redirect_uri, scope: "openid profile", nonce: "n" });
      assert.equal(back.origin + back.pathname, redirect_uri);
      assert.deepEqual([back.searchParams.get("iss"), back.searchParams.get("state")], [BASE, client.state]);
      const code = back.searchParams.get("code") ?? "";
      assert.equal((await client.exchange(code, { redirect_uri })).status, 200);
    });

    it("request one server and get a token that only it accepts", async () => {
      const client = new McpClient(api.service);
      const tokens = await client.connect(ada, { resource: `${BASE}/mcp/echo/` });
      assert.equal((await list(tokens.access_token, "/mcp/echo")).status, 200);
      for (const target of ["/mcp", "/mcp?mcp=echo", "/mcp/other"]) {
        assert.equal((await list(tokens.access_token, target)).status, 401, target);
      }
      const renewed = await client.refresh(tokens.refresh_token, { resource: `${BASE}/mcp/echo` });
      assert.equal((await list(renewed.body.access_token, "/mcp/echo")).status, 200);
      assert.equal((await list(renewed.body.access_token)).status, 401);
    });

    it("get a token for the whole gateway without a resource", async () => {
      const tokens = await new McpClient(api.service).connect(ada, { resource: "" });
      assert.equal((await list(tokens.access_token)).status, 200);
    });

    it("refresh tokens; the previous one is accepted for a moment, and later revokes the grant", async () => {
      const client = new McpClient(api.service);
      const first = await client.connect(ada);
      const second = (await client.refresh(first.refresh_token, { scope: "anything" })).body;
      assert.notEqual(second.refresh_token, first.refresh_token);
      const again = await client.refresh(first.refresh_token);
      assert.equal(again.status, 200, "an answer may have got lost");
      api.clock.advance(10_001);
      assert.equal((await list(second.access_token)).status, 200);
      const audits = await api.auditOf(async () => {
        const reused = await client.refresh(first.refresh_token);
        assert.deepEqual([reused.status, reused.body.error], [400, "invalid_grant"]);
      });
      assert.deepEqual(audits.map(({ operation, target_name }) => [operation, target_name]).sort(), [
        ["disconnectClient", ADA],
        ["refreshTokenReused", ADA],
      ]);
      for (const { access_token, refresh_token } of [second, again.body]) {
        assert.equal((await list(access_token)).status, 401);
        assert.equal((await client.refresh(refresh_token)).body.error, "invalid_grant");
      }
    });

    it("hold at most twenty tokens and a bounded number of used refresh tokens", async () => {
      const client = new McpClient(api.service);
      const first = await client.connect(ada);
      let last = first;
      for (let n = 0; n < 20; n++) {
        api.clock.advance(1);
        last = (await client.refresh(last.refresh_token)).body;
      }
      assert.equal((await list(first.access_token)).status, 401);
      assert.equal((await list(last.access_token)).status, 200);
      const kept = api.db.selectFrom("oauth_artifacts").selectAll().where("client_id", "=", client.clientId);
      const renewals = () => kept.where("model", "=", "RefreshToken").orderBy("created_at").execute();
      const [oldest] = await renewals();
      assert.ok(oldest);
      const heap = Array.from({ length: 100 }, (_, n) => ({ ...oldest, id: `${oldest.id}-${n}` }));
      await api.db.insertInto("oauth_artifacts").values(heap).execute();
      const renewed = await client.refresh(last.refresh_token);
      assert.equal((await renewals()).length, 101);
      assert.equal((await client.refresh(renewed.body.refresh_token)).status, 200);
    });

    for (const kind of ["access_token", "refresh_token"] as const) {
      it(`revoke the grant with their ${kind} (RFC 7009)`, async () => {
        const client = new McpClient(api.service);
        const tokens = await client.connect(ada);
        assert.equal((await client.post("/oauth/revoke", { token: tokens[kind] })).status, 200);
        assert.equal((await list(tokens.access_token)).status, 401);
        assert.equal((await client.refresh(tokens.refresh_token)).body.error, "invalid_grant");
      });
    }

    it("lose an access token after an hour and the grant after a month without use", async () => {
      const client = new McpClient(api.service);
      const tokens = await client.connect(ada);
      api.clock.advance(HOUR_MS);
      assert.equal((await list(tokens.access_token)).status, 401);
      const renewed = (await client.refresh(tokens.refresh_token)).body;
      assert.equal((await list(renewed.access_token)).status, 200);
      const kept = api.db
        .selectFrom("oauth_artifacts")
        .select(["id", "expires_at"])
        .where("client_id", "=", client.clientId);
      const [rest] = await kept.where("model", "=", "RefreshToken").orderBy("created_at", "desc").execute();
      assert.equal(rest?.expires_at, api.clock.now() + 30 * 24 * HOUR_MS);
      await api.db
        .updateTable("oauth_artifacts")
        .set({ expires_at: api.clock.now() })
        .where("id", "=", rest.id)
        .execute();
      assert.equal((await client.refresh(renewed.refresh_token)).body.error, "invalid_grant");
    });

    it("must present their secret if they have one", async () => {
      const client = new McpClient(api.service);
      const { body } = await client.register({ token_endpoint_auth_method: "client_secret_post" });
      const back = await client.agree(ada);
      const code = back.searchParams.get("code") ?? "";
      assert.equal((await client.exchange(code)).status, 401);
      assert.equal((await client.exchange(code, { client_secret: body.client_secret })).status, 200);
    });

    it("must sign a new assertion each time if they have a key", async () => {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const client = new McpClient(api.service);
      const jwks = { keys: [{ ...publicKey.export({ format: "jwk" }), alg: "ES256", use: "sig" }] };
      const made = await client.register({ token_endpoint_auth_method: "private_key_jwt", jwks });
      assert.equal(made.status, 201, made.text);
      const assertion = signedBy(privateKey, client.clientId, "1");
      const signed = {
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: assertion,
      };
      const code = async () => (await client.agree(ada)).searchParams.get("code") ?? "";
      assert.equal((await client.exchange(await code())).status, 401);
      assert.equal((await client.exchange(await code(), signed)).status, 200);
      assert.equal((await client.exchange(await code(), signed)).status, 401, "the same signature a second time");
      const twice = { ...signed, client_assertion: signedBy(privateKey, client.clientId, "2") };
      const codes = [await code(), await code()];
      const both = await Promise.all(codes.map((one) => client.exchange(one, twice)));
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401], "the same signature used concurrently");
    });

    it("without consent displace each other, but no client in use", async () => {
      const [used, oldest, newest] = [
        new McpClient(api.service),
        new McpClient(api.service),
        new McpClient(api.service),
      ];
      await used.connect(ada);
      await oldest.register();
      api.clock.advance(1);
      await newest.register();
      const lifeMs = 24 * HOUR_MS;
      const others = await api.db
        .selectFrom("oauth_artifacts")
        .select("id")
        .where("model", "=", "Client")
        .where("created_at", ">=", api.clock.now())
        .execute();
      await trimNeverUsed(api.db, { model: "Client", lifeMs }, others.length);
      const isKnown = async (client: McpClient) => (await ada.get(client.authorizePath())).status === 303;
      assert.deepEqual([await isKnown(used), await isKnown(oldest), await isKnown(newest)], [true, false, true]);
    });

    it("can use either registration after registering twice", async () => {
      const [one, other] = [new McpClient(api.service), new McpClient(api.service)];
      await one.register();
      await other.register();
      for (const client of [other, one]) {
        const back = await client.agree(ada);
        assert.equal((await client.exchange(back.searchParams.get("code") ?? "")).status, 200);
      }
    });

    it("are deleted after a day without consent, and kept with consent", async () => {
      const [used, unused] = [new McpClient(api.service), new McpClient(api.service)];
      await unused.register();
      await used.connect(ada);
      const days = async ({ clientId }: McpClient) => {
        const clients = api.db.selectFrom("oauth_artifacts").select("expires_at").where("model", "=", "Client");
        const row = await clients.where("client_id", "=", clientId).executeTakeFirstOrThrow();
        return (row.expires_at - api.clock.now()) / (24 * HOUR_MS);
      };
      assert.deepEqual([await days(unused), await days(used)], [1, 90]);
      await deleteArtifactsBefore(api.db, api.clock.now() + 24 * HOUR_MS);
      assert.equal((await ada.get(unused.authorizePath())).status, 400);
      assert.equal((await ada.get(used.authorizePath())).status, 303);
    });

    it("get a connect link, and can call after the user has connected (D25)", async () => {
      const auth_settings = { authType: "proxy-api-key", headerName: "X-Api-Key", headerPrefix: "" };
      await createServer(api.service, "Keyed", upstream.url, { auth_settings });
      await createGroup(api.service, "keyed", { slugs: ["keyed"], emails: [ADA] });
      const { access_token } = await new McpClient(api.service).connect(ada);
      const call = () => {
        const params = { name: "keyed__echo", arguments: {} };
        return api.service.mcp(access_token, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
      };
      const asked = (await call()).body.result;
      assert.deepEqual([asked.isError, asked.content[0].text.includes(`${BASE}/connect/keyed`)], [true, true]);
      await ada.get("/connect/keyed");
      const given = await ada.submit("/connect/keyed", { key: "k-1" });
      assert.ok(given.status < 400, given.text);
      while ((await api.call("GET", "/api/mcp-servers/keyed")).body.data.tools_count === 0);
      const { result } = (await call()).body;
      assert.equal(result.isError ?? false, false, JSON.stringify(result));
    });

    it("receive access_denied when the user denies", async () => {
      const client = new McpClient(api.service);
      await client.register();
      const back = await client.agree(ada, {}, "deny");
      assert.deepEqual([back.searchParams.get("error"), back.searchParams.get("code")], ["access_denied", null]);
    });

    it("wait while the user signs in", async () => {
      const stranger = new Browser(api.service);
      const client = new McpClient(api.service);
      await client.register();
      const consent = await client.ask(stranger);
      const sent = await stranger.get(consent);
      assert.equal(sent.status, 303);
      const signIn = new URL(String(sent.headers.location), `${BASE}${consent}`);
      assert.equal(signIn.searchParams.get("return_to"), consent);
      await stranger.get(signIn.pathname + signIn.search);
      const entered = await stranger.submit("/sign-in", { email: ADA, password: GOOD_PASSWORD });
      assert.equal(entered.headers.location, `.${consent}`);
      assert.equal((await stranger.get(consent)).status, 200);
    });

    it("lose access immediately when the user is disabled", async () => {
      const grace = await signedInAs(api.service, "member", "grace@example.com");
      const client = new McpClient(api.service);
      const tokens = await client.connect(grace);
      await api.call("PATCH", "/api/users?email=grace@example.com", { disabled: true });
      assert.equal((await list(tokens.access_token)).status, 401);
      assert.equal((await client.refresh(tokens.refresh_token)).body.error, "invalid_grant");
    });

    it("leave no usable secrets in the database", async () => {
      const client = new McpClient(api.service);
      await client.register({ token_endpoint_auth_method: "client_secret_post" });
      const back = await client.agree(ada);
      const code = back.searchParams.get("code") ?? "";
      const everything = JSON.stringify(await api.everything());
      assert.ok(everything.includes(client.clientId), "the client is known");
      assert.ok(!everything.includes(code) && !everything.includes("code_challenge"));
      assert.ok(!api.lines.join("").includes(code));
    });
  },
  { clock: "by-hand", log: "kept" },
);

/** RFC 7523: a client authenticates with its key. */
function signedBy(key: KeyObject, clientId: string, jti: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: clientId, sub: clientId, aud: BASE, jti, iat: now, exp: now + 60 };
  const parts = [{ alg: "ES256" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signature = sign("sha256", Buffer.from(parts.join(".")), { key, dsaEncoding: "ieee-p1363" });
  return [...parts, signature.toString("base64url")].join(".");
}

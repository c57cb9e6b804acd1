import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { systemRandom } from "#lib/random";
import { newExchangeRefreshToken } from "#lib/tokens";
import { bearer, forEachApi } from "#test/api";
import { type Browser, signedInAs } from "#test/browser";
import { McpClient } from "#test/mcp-client";
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from "#test/token-issuer";

const ADA = "ada@example.com";
const MOST = 100;

interface Answer {
  readonly status: number;
  readonly body: { readonly error?: string };
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Decision 0058. The suite's clock is stopped, so everything in one test happens within one minute. */
forEachApi(
  "too many wrong tokens",
  (api) => {
    let idp: TokenIssuer;
    let client: McpClient;
    let ada: Browser;
    before(async () => {
      idp = await startTokenIssuer(api.clock);
      ada = await signedInAs(api.service, "member", ADA);
      const people = { name: "People", issuer: idp.issuer, audiences: [AUDIENCE], require_api_key: false };
      assert.equal((await api.call("POST", "/api/auth-exchange/providers", people)).status, 201);
      client = new McpClient(api.service);
      await client.register();
    });
    beforeEach(() => api.clock.advance(60_000));
    after(() => idp?.close());

    const unknown = () => newExchangeRefreshToken(systemRandom);
    const send = (path: string, body: object) =>
      api.service.http(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const post = (path: string, params: Record<string, string>) =>
      api.service.http(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(params).toString(),
      });
    const exchanged = async () => {
      const token = await idp.sign({ sub: "u1", email: ADA, email_verified: true });
      const answer = await api.service.http("/api/auth-exchange", { method: "POST", headers: bearer(token) });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data as { access_token: string; refresh_token: string };
    };
    const refreshed = (refresh_token: string) => send("/api/auth-exchange/refresh", { refresh_token });
    /** The first hundred are refused as ever, the next ones with the time to wait. */
    const expectLimit = async (wrong: () => Promise<Answer>, status: number, limited = status) => {
      for (let n = 0; n < MOST + 3; n++) {
        const answer = await wrong();
        const expected = n < MOST ? [status, undefined] : [limited, "60"];
        assert.deepEqual(
          [answer.status, answer.headers["retry-after"]],
          expected,
          `${n}: ${JSON.stringify(answer.body)}`,
        );
      }
    };

    it("at /api/auth-exchange/refresh do not affect valid ones", async () => {
      const { refresh_token } = await exchanged();
      await expectLimit(() => refreshed(unknown()), 401);
      const answer = await refreshed(refresh_token);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers["retry-after"], undefined);
      assert.equal((await refreshed("no token")).headers["retry-after"], "60");
    });

    it("at /api/auth-exchange/revoke do not affect valid ones", async () => {
      const { access_token, refresh_token } = await exchanged();
      await expectLimit(() => send("/api/auth-exchange/revoke", { token: unknown() }), 200, 429);
      assert.equal((await send("/api/auth-exchange/revoke", { token: access_token })).status, 200);
      assert.equal((await refreshed(refresh_token)).status, 401, "the credential was ended");
    });

    it("at /api/auth-exchange do not affect valid ones", async () => {
      const forged = (await idp.sign({ email: ADA })).replace(/[^.]+$/, "AAAA");
      const wrong = () => api.service.http("/api/auth-exchange", { method: "POST", headers: bearer(forged) });
      await expectLimit(wrong, 401);
      await exchanged();
    });

    it("at /oauth/token count for exchanged tokens and for tokens of MCP clients", async () => {
      const { refresh_token } = await exchanged();
      const tokens = await client.connect(ada);
      const refresh = (token: string, client_id = client.clientId) =>
        post("/oauth/token", { grant_type: "refresh_token", client_id, refresh_token: token });
      const wrong = [
        () => refresh(unknown()),
        () => refresh("x".repeat(43)),
        () =>
          post("/oauth/token", {
            grant_type: "authorization_code",
            client_id: client.clientId,
            code: "x",
            redirect_uri: "http://127.0.0.1:33418/callback",
            code_verifier: client.verifier,
          }),
      ];
      let sent = 0;
      await expectLimit(() => wrong[sent++ % wrong.length]?.() ?? assert.fail(), 400);
      const stranger = await refresh("x", "cli_unknown");
      assert.deepEqual(
        [stranger.status, stranger.body.error, stranger.headers["retry-after"]],
        [401, "invalid_client", "60"],
      );
      for (const valid of [refresh_token, tokens.refresh_token]) {
        const answer = await refresh(valid);
        assert.deepEqual([answer.status, answer.headers["retry-after"]], [200, undefined], answer.text);
      }
      const invalid = await post("/oauth/token", { client_id: client.clientId });
      assert.deepEqual([invalid.status, invalid.headers["retry-after"]], [400, undefined], "no credential was sent");
    });

    it("at /oauth/revoke count for exchanged tokens and for tokens of MCP clients", async () => {
      const { access_token, refresh_token } = await exchanged();
      const tokens = await client.connect(ada);
      const revoke = (token: string) => post("/oauth/revoke", { client_id: client.clientId, token });
      let sent = 0;
      await expectLimit(() => revoke(sent++ % 2 === 0 ? unknown() : "x".repeat(43)), 200, 429);
      assert.equal((await revoke(tokens.refresh_token)).status, 200);
      assert.equal((await client.refresh(tokens.refresh_token)).body.error, "invalid_grant");
      assert.equal((await revoke(access_token)).status, 200);
      assert.equal((await refreshed(refresh_token)).status, 401);
    });

    it("at /scim/v2 are answered with Retry-After, which does not affect valid ones", async () => {
      const users = (token: string) => api.service.http("/scim/v2/Users", { headers: bearer(token) });
      await expectLimit(() => users("wrong"), 401);
      assert.equal((await users(api.service.token)).status, 200);
    });
  },
  { clock: "by-hand" },
);

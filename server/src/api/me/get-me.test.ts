import assert from "node:assert/strict";
import { it } from "node:test";
import { SCOPES } from "#api/kit/scopes";
import { bearer, forEachApi } from "#test/api";

forEachApi(
  "GET /api/me",
  (api) => {
    const me = (token: string) => api.service.http("/api/me", { headers: bearer(token) });

    it("returns the token's record, the organization, and URLs, without the token", async () => {
      const expires_at = new Date(api.clock.now() + 3_600_000).toISOString();
      const scopes = ["connect:read", "admin:read"];
      const made = (await api.call("POST", "/api/api-tokens", { name: "CI", scopes, expires_at })).body;
      const { id, name, created_at } = made.data;
      const record = { id, name, scopes, expires_at, created_at };
      api.clock.advance(1_000);
      const answer = await me(made.token);
      const last_used_at = new Date(api.clock.now()).toISOString();
      assert.deepEqual(
        [answer.status, answer.body],
        [
          200,
          {
            data: { type: "api_token", ...record, last_used_at },
            organization: { name: "Test", domain: "example.com", access_requests: true, help_contact: null },
            gateway_url: "http://127.0.0.1:8080",
            base_url: "http://127.0.0.1:8080",
            version: "0.1.0",
          },
        ],
      );
      assert.equal(answer.text.includes(made.token), false);
    });

    it("accepts every valid token, whatever its scopes, including unknown ones", async () => {
      for (const scope of SCOPES) {
        const { id, token } = await api.tokenWith(scope);
        const { status, body } = await me(token);
        assert.deepEqual([status, body.data.id, body.data.scopes], [200, id, [scope]]);
      }
      const { id, token } = await api.tokenWith("admin:read");
      const scopes = ["of:tomorrow"];
      await api.db.updateTable("api_tokens").set({ scopes }).where("id", "=", id).execute();
      assert.deepEqual((await me(token)).body.data.scopes, scopes);
    });

    it("401 once the token has expired or is deleted", async () => {
      const expires_at = new Date(api.clock.now() + 1_000).toISOString();
      const short = (await api.call("POST", "/api/api-tokens", { name: "x", scopes: ["all"], expires_at })).body.token;
      const gone = await api.tokenWith("all");
      await api.call("DELETE", `/api/api-tokens?id=${gone.id}`);
      api.clock.advance(1_000);
      assert.deepEqual([(await me(short)).status, (await me(gone.token)).status], [401, 401]);
    });
  },
  { clock: "by-hand" },
);

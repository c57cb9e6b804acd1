import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bearer, forEachApi } from "#test/api";

forEachApi(
  "API tokens",
  (api) => {
    const create = (body: object) => api.call("POST", "/api/api-tokens", body);
    const groups = async (token: string) => (await api.service.http("/api/groups", { headers: bearer(token) })).status;

    describe("POST /api/api-tokens, 201", () => {
      it("returns the record and, once, the token, which works immediately", async () => {
        const { status, body } = await create({ name: "CI", scopes: ["admin:read", "admin:read", "connect:read"] });
        const { id, prefix, created_by_id: creator, ...rest } = body.data;
        assert.equal(status, 201);
        assert.match(`${id} ${creator}`, /^tok_\w+ tok_\w+$/);
        assert.deepEqual(rest, {
          name: "CI",
          scopes: ["admin:read", "connect:read"],
          expires_at: null,
          last_used_at: null,
          created_by: "Bootstrap token",
          responsible: null,
          created_at: new Date(api.clock.now()).toISOString(),
        });
        assert.match(body.token, /^gh_at_[0-9A-Za-z_]+$/);
        assert.match(prefix, /^gh_at_[0-9A-Za-z]{12}$/);
        assert.ok(body.token.startsWith(`${prefix}_`));
        assert.equal(await groups(body.token), 200);
      });

      it("stores a hash and no part of the token", async () => {
        const { token } = await api.tokenWith("admin:read");
        const everything = JSON.stringify(await api.everything());
        assert.equal(everything.includes(token.slice(0, 20)), false);
      });
    });

    describe("expires_at", () => {
      it("expires the token at the exact millisecond (AZ-4)", async () => {
        const expires_at = new Date(api.clock.now() + 60_000).toISOString();
        const { data, token } = (await create({ name: "short", scopes: ["all"], expires_at })).body;
        assert.equal(data.expires_at, expires_at);
        api.clock.advance(59_999);
        assert.equal(await groups(token), 200);
        api.clock.advance(1);
        assert.equal(await groups(token), 401);
        api.clock.advance(1_000_000);
        assert.equal(await groups(token), 401);
      });

      it("requires a future timestamp with a time zone", async () => {
        const body = (expires_at: unknown) => ({ name: "x", scopes: ["all"], expires_at });
        const now = new Date(api.clock.now()).toISOString();
        await api.invalid("expires_at: must be in the future", "POST", "/api/api-tokens", body(now));
        for (const text of ["tomorrow", "2030-01-01", "2030-01-01T00:00:00", "2030-13-01T00:00:00Z", ""]) {
          await api.invalid("expires_at: must be an ISO 8601 timestamp", "POST", "/api/api-tokens", body(text));
        }
        await api.invalid("expires_at: must be a string", "POST", "/api/api-tokens", body(2_000_000_000_000));
        const zoned = await create(body("2030-01-01T02:00:00+02:00"));
        assert.equal(zoned.body.data.expires_at, "2030-01-01T00:00:00.000Z");
        assert.equal((await create(body(null))).body.data.expires_at, null);
      });
    });

    describe("400", () => {
      it("rejects missing and unknown scopes", async () => {
        const all =
          "all, admin:read, admin:write, admin:scim, connect:read, connect:write, connect:exchange-auth, discovery:ingest, agents:invoke, logs:payloads";
        for (const [scopes, message] of [
          [undefined, "scopes: scopes array cannot be empty"],
          [[], "scopes: scopes array cannot be empty"],
          ["all", "scopes: must be an array"],
          [["admin"], `scopes.0: must be one of ${all}`],
          [["all", "ALL"], `scopes.1: must be one of ${all}`],
          [Array(11).fill("all"), "scopes: must not contain duplicates"],
        ] as const) {
          await api.invalid(message, "POST", "/api/api-tokens", { name: "x", scopes });
        }
      });
    });
  },
  { clock: "by-hand" },
);

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { operations } from "#api/operations";
import { bearer, onSqliteApi } from "#test/api";
import type { HttpAnswer } from "#test/start-service";
import type { Operation } from "./operation.ts";
import { routeOf } from "./router.ts";
import { SCOPES } from "./scopes.ts";

/** D7: the scopes that satisfy each required scope. A new scope without a row fails below. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  all: ["all"],
  "admin:read": ["all", "admin:read", "admin:write"],
  "admin:write": ["all", "admin:write"],
  "admin:scim": ["all", "admin:write", "admin:scim"],
  "connect:read": ["all", "connect:read", "connect:write"],
  "connect:write": ["all", "connect:write"],
  "connect:exchange-auth": ["all", "connect:write", "connect:exchange-auth"],
  "discovery:ingest": ["all", "discovery:ingest"],
  "agents:invoke": ["all", "admin:write", "agents:invoke"],
  "logs:payloads": ["all", "logs:payloads"],
  any: SCOPES,
};

function isForTokens({ callers }: Operation): boolean {
  return callers === undefined || callers === "jwt";
}

onSqliteApi(
  "API admission",
  (api) => {
    const unauthorized = (answer: HttpAnswer) => {
      assert.deepEqual([answer.status, answer.body], [401, { error: "Unauthorized" }]);
      assert.equal(answer.headers["www-authenticate"], "Bearer");
      assert.equal("retry-after" in answer.headers, false);
    };

    describe("401", () => {
      /** Each credential is invalid in a different way. Gateway credentials are not valid here (AUTH-3). */
      const wrong = new Map<string, string | undefined>([["none", undefined]]);
      before(async () => {
        const deleted = await api.tokenWith("all");
        assert.equal((await api.call("DELETE", `/api/api-tokens?id=${deleted.id}`)).status, 200);
        const expires_at = new Date(api.clock.now() + 1).toISOString();
        const expired = await api.call("POST", "/api/api-tokens", { name: "short", scopes: ["all"], expires_at });
        const machine = await api.call("POST", "/api/users", { is_machine_user: true, name: "caller" });
        const { client_id: key, secret } = machine.body.credentials;
        wrong.set("unknown", "wrong").set("deleted", deleted.token).set("expired", expired.body.token);
        wrong.set("of the gateway", `${key}:${secret}`).set("half of one", secret);
      });

      for (const operation of operations.filter(({ callers }) => callers !== "anyone")) {
        it(`${operation.id} rejects every invalid credential before any other check (AUTH-1)`, async () => {
          // After the minute in which wrong credentials are counted (D8).
          api.clock.advance(60_001);
          const { method, url } = routeOf(operation);
          const path = `${url.replace(/\{\w+\}/g, "x")}?limit=x`;
          for (const token of wrong.values()) {
            const headers = token === undefined ? {} : bearer(token);
            unauthorized(await api.service.http(path, { method, headers }));
            const body = method.startsWith("P") ? { body: "{" } : {};
            unauthorized(await api.service.http(path, { method, headers, ...body }));
          }
        });
      }

      it("rejects an API token at the gateway (AUTH-3)", async () => {
        const answer = await api.service.mcp(api.service.token, { jsonrpc: "2.0", id: 1, method: "ping" });
        assert.deepEqual([answer.status, answer.body], [401, { error: "invalid_token" }]);
      });

      it("rejects every malformed bearer token in the same way", async () => {
        const { token } = api.service;
        const made = (await api.tokenWith("all")).token;
        const machine = await api.call("POST", "/api/users", { is_machine_user: true, name: "bot" });
        const { client_id: key, secret } = machine.body.credentials;
        for (const authorization of [
          "",
          "Bearer",
          "Bearer ",
          token,
          `Basic ${token}`,
          `Bearer ${token}x`,
          `Bearer ${token} x`,
          `Bearer ${made.slice(0, -1)}`,
          `Bearer ${made.toLowerCase()}`,
          `Bearer ${"a".repeat(9_000)}`,
          `Bearer ${key}:${secret}`,
          `Bearer ${secret}`,
        ]) {
          unauthorized(await api.service.http("/api/groups", { headers: { authorization } }));
        }
        const inLowerCase = await api.service.http("/api/groups", { headers: { authorization: `bearer ${made}` } });
        assert.equal(inLowerCase.status, 200);
      });

      it("does not reveal to unauthenticated callers which paths under /api/ exist", async () => {
        unauthorized(await api.service.http("/api/nothing"));
        unauthorized(await api.service.http("/api/groups", { method: "PUT" }));
        unauthorized(await api.service.http("/api/groups/%zz/users", { method: "POST" }));
      });
    });

    describe("403", () => {
      const tokens = new Map<string, string>();
      before(async () => {
        for (const scope of SCOPES) tokens.set(scope, (await api.tokenWith(scope)).token);
      });

      it("has a row in the permission table for every scope", () => {
        assert.deepEqual(Object.keys(ALLOWED).sort(), [...SCOPES, "any"].sort());
      });

      for (const { id, scope, route } of operations.filter((each) => isForTokens(each))) {
        it(`${id} accepts exactly the scopes of the permission table (AZ-1)`, async () => {
          const [method = "", url = ""] = route.split(" ");
          // The unsupported version stops the request after the permission check, before it has any effect.
          const headers = { "service-api-version": "0" };
          for (const [granted, token] of tokens) {
            const call = { method, headers: { ...headers, ...bearer(token) } };
            const answer = await api.service.http(url.replace(/\{\w+\}/g, "x"), call);
            const error = `Insufficient permissions: requires ${scope}`;
            if (ALLOWED[scope]?.includes(granted)) assert.equal(answer.status, 400, granted);
            else assert.deepEqual([answer.status, answer.body], [403, { error }], granted);
          }
        });
      }

      it("requires a read scope to read, a write scope to change, and the unrestricted scope for tokens", () => {
        for (const { id, route, scope, kind, callers } of operations) {
          if (callers === "anyone") assert.equal(scope, "any", id);
          else if (callers === "jwt") assert.equal(scope, "connect:exchange-auth", id);
          else if (id.endsWith("ApiToken")) assert.equal(scope, "all", id);
          // The operations decide which sessions a caller can read.
          else if (/AgentSession|AgentSteps/.test(id) && route.startsWith("GET ")) assert.equal(scope, "any", id);
          else if (id === "invokeBackgroundAgent" || id === "sendAgentMessage")
            assert.equal(scope, "agents:invoke", id);
          // For devices.
          else if (id === "reportDiscovery" || id === "getEffectiveDiscoveryPolicy")
            assert.equal(scope, "discovery:ingest", id);
          else if (/ \/api\/me(?:\/|$)/.test(route)) assert.equal(scope, "any", id);
          else {
            const family = route.includes(" /api/user/") ? "connect" : "admin";
            // A link that connects a user is more than a read.
            const isMore = id === "getUserAuthUrl";
            const reads = (route.startsWith("GET ") || kind === "read") && !isMore;
            assert.equal(scope, `${family}:${reads ? "read" : "write"}`, id);
          }
        }
      });

      for (const { id, route } of operations.filter((each) => each.callers === "people")) {
        it(`${id} is only for signed-in people and rejects API tokens with any scope`, async () => {
          const [method = "", url = ""] = route.split(" ");
          for (const [granted, token] of tokens) {
            const answer = await api.service.http(url, { method, headers: bearer(token) });
            const error = "Insufficient permissions: requires a web session";
            assert.deepEqual([answer.status, answer.body], [403, { error }], granted);
          }
        });
      }

      it("combines the scopes of a token", async () => {
        const { token } = await api.tokenWith("connect:read", "admin:read");
        assert.equal((await api.service.http("/api/groups", { headers: bearer(token) })).status, 200);
      });

      it("grants nothing for a scope that this release does not know", async () => {
        const { id, token } = await api.tokenWith("admin:read");
        await api.db
          .updateTable("api_tokens")
          .set({ scopes: ["admin:everything"] })
          .where("id", "=", id)
          .execute();
        assert.equal((await api.service.http("/api/groups", { headers: bearer(token) })).status, 403);
      });
    });
  },
  { clock: "by-hand" },
);

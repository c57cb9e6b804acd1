import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { operations } from "#api/operations";
import { bearer, forEachApi } from "#test/api";
import type { HttpAnswer } from "#test/start-service";
import { routeOf } from "./router.ts";
import { SCOPES } from "./scopes.ts";

/** D7, written out: which scopes let a token do what needs the scope. A new scope without a row fails below. */
const LETS_IN: Readonly<Record<string, readonly string[]>> = {
  all: ["all"],
  "admin:read": ["all", "admin:read", "admin:write"],
  "admin:write": ["all", "admin:write"],
  "connect:read": ["all", "connect:read", "connect:write"],
  "connect:write": ["all", "connect:write"],
  "connect:exchange-auth": ["all", "connect:write", "connect:exchange-auth"],
  "discovery:ingest": ["all", "discovery:ingest"],
  "agents:invoke": ["all", "agents:invoke"],
  any: SCOPES,
};

forEachApi("who is let in", (api) => {
  const unauthorized = (answer: HttpAnswer) => {
    assert.deepEqual([answer.status, answer.body], [401, { error: "Unauthorized" }]);
    assert.equal(answer.headers["www-authenticate"], "Bearer");
    assert.equal("retry-after" in answer.headers, false);
  };

  describe("401", () => {
    it("every operation refuses a missing and a wrong credential, whatever else is wrong", async () => {
      for (const operation of operations) {
        const { method, url } = routeOf(operation);
        const path = `${url.replace(/\{\w+\}/g, "x")}?limit=x`;
        unauthorized(await api.service.http(path, { method }));
        const body = method.startsWith("P") ? { body: "{" } : {};
        unauthorized(await api.service.http(path, { method, headers: bearer("wrong"), ...body }));
      }
    });

    it("what is no bearer token of ours is refused alike", async () => {
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

    it("under /api/ a path that does not exist tells a stranger nothing", async () => {
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

    it("each operation lets in exactly the scopes of the permission table (AZ-1)", async () => {
      assert.deepEqual(Object.keys(LETS_IN).sort(), [...SCOPES, "any"].sort());
      for (const operation of operations) {
        const { method, url } = routeOf(operation);
        // Stopped by its version after the permission check and before anything can happen.
        const headers = { "service-api-version": "0" };
        const letIn: string[] = [];
        for (const [scope, token] of tokens) {
          const call = { method, headers: { ...headers, ...bearer(token) } };
          const answer = await api.service.http(url.replace(/\{\w+\}/g, "x"), call);
          if (answer.status === 400) letIn.push(scope);
          else {
            const error = `Insufficient permissions: requires ${operation.scope}`;
            assert.deepEqual([answer.status, answer.body], [403, { error }], `${operation.id} with ${scope}`);
          }
        }
        assert.deepEqual(letIn.sort(), [...(LETS_IN[operation.scope] ?? [])].sort(), operation.id);
      }
    });

    it("reading needs a scope to read, changing a scope to write, and tokens the unrestricted one", () => {
      for (const { id, route, scope } of operations) {
        if (id.endsWith("ApiToken")) assert.equal(scope, "all", id);
        else if (id === "getMe") assert.equal(scope, "any", id);
        else assert.equal(scope, route.startsWith("GET ") ? "admin:read" : "admin:write", id);
      }
    });

    it("several scopes of one token add up", async () => {
      const { token } = await api.tokenWith("connect:read", "admin:read");
      assert.equal((await api.service.http("/api/groups", { headers: bearer(token) })).status, 200);
    });

    it("a scope that this release does not know grants nothing", async () => {
      const { id, token } = await api.tokenWith("admin:read");
      await api.db
        .updateTable("api_tokens")
        .set({ scopes: ["admin:everything"] })
        .where("id", "=", id)
        .execute();
      assert.equal((await api.service.http("/api/groups", { headers: bearer(token) })).status, 403);
    });
  });
});

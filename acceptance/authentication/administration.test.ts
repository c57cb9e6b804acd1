import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CONTRACT_OPERATIONS, type ContractOperation } from "../kit/contract.ts";
import type { Answer } from "../kit/http.ts";
import { forEachTarget } from "../kit/suite.ts";

const addressOf = ({ path }: { path: string }) => path.replace(/\{\w+\}/g, "x");

forEachTarget("who may use the administration API", (api) => {
  const unauthorized = ({ status, body, headers }: Answer) => {
    assert.deepEqual([status, body], [401, { error: "Unauthorized" }]);
    assert.equal(headers["www-authenticate"], "Bearer");
  };
  const as = (token: string, { method, path, takesBody }: ContractOperation) =>
    api.send(addressOf({ path }), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(takesBody ? { "content-type": "application/json" } : {}) },
      ...(takesBody ? { body: "{}" } : {}),
    });

  describe("401", () => {
    it("every operation, of the contract or added, without a token [S4.0-token S4.0-401-403 S5.1-token S5.2-401 S7-api-401]", async () => {
      const { operations } = await api.document();
      const open = operations.filter(({ isOpen }) => isOpen).map(({ operationId }) => operationId);
      assert.deepEqual(open.sort(), ["refreshExchange", "reportAgentSession", "revokeExchange"]);
      for (const operation of operations.filter(({ isOpen }) => !isOpen)) {
        const body = operation.body ? { body: "{" } : {};
        unauthorized(await api.send(`${addressOf(operation)}?limit=x`, { method: operation.method, ...body }));
      }
    });

    it("an invalid token, regardless of the rest of the request [S5.2-401 S7-api-401]", async () => {
      for (const operation of CONTRACT_OPERATIONS) unauthorized(await as("gth_wrong", operation));
      const bot = await api.machineUser();
      for (const authorization of [`Basic ${api.target.token}`, api.target.token, `Bearer ${bot.credential}`]) {
        unauthorized(await api.send("/api/groups", { headers: { authorization } }));
      }
    });

    it("a deleted token, immediately [S5.1-managed]", async () => {
      const asked = { name: api.unique("token"), scopes: ["all"] };
      const { data, token } = await api.body(201, "POST", "/api/api-tokens", asked);
      const headers = { authorization: `Bearer ${token}` };
      assert.equal((await api.send("/api/groups", { headers })).status, 200);
      await api.body(200, "DELETE", `/api/api-tokens?id=${data.id}`);
      unauthorized(await api.send("/api/groups", { headers }));
    });
  });

  describe("403", () => {
    it("every operation, with a token of another scope [S4.0-401-403 S5.2-403 S7-403]", async () => {
      const token = await api.tokenWith("connect:read");
      for (const operation of CONTRACT_OPERATIONS) {
        const scope = operation.method === "GET" ? "admin:read" : "admin:write";
        const { status, body } = await as(token, operation);
        const error = `Insufficient permissions: requires ${scope}`;
        assert.deepEqual([status, body], [403, { error }], operation.id);
      }
    });

    it("a read token for changes, but not for reads [S5.2-403 S5.2-scopes]", async () => {
      const token = await api.tokenWith("admin:read");
      for (const operation of CONTRACT_OPERATIONS) {
        const { status } = await as(token, operation);
        assert.equal(status, operation.method === "GET" ? 200 : 403, operation.id);
      }
    });
  });
});

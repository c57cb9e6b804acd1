import assert from "node:assert/strict";
import { it } from "node:test";
import { bearer, forEachApi } from "#test/api";

forEachApi("DELETE /api/api-tokens", (api) => {
  it("200 revokes the token immediately, also on open connections", async () => {
    const { id, token } = await api.tokenWith("admin:read");
    const groups = async () => (await api.service.http("/api/groups", { headers: bearer(token) })).status;
    assert.equal(await groups(), 200);
    await api.expect(200, { message: "API token deleted successfully" }, "DELETE", `/api/api-tokens?id=${id}`);
    assert.equal(await groups(), 401);
    await api.expect(404, { error: "API token not found" }, "DELETE", `/api/api-tokens?id=${id}`);
  });

  it("403 without the scope all, for creating and deleting", async () => {
    const { id, token } = await api.tokenWith("admin:write", "connect:write");
    for (const [method, path] of [
      ["DELETE", `/api/api-tokens?id=${id}`],
      ["POST", "/api/api-tokens"],
    ] as const) {
      const answer = await api.call(method, path, undefined, bearer(token));
      assert.deepEqual([answer.status, answer.body], [403, { error: "Insufficient permissions: requires all" }]);
    }
  });
});

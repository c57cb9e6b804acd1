import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("the audit log", (api) => {
  it("is a hash chain that the service verifies [API-21]", async () => {
    const name = api.unique("chained");
    await api.body(201, "POST", "/api/groups", { name });
    const { data: entries } = await api.body(200, "GET", `/api/audit?target=${name}`);
    const { data } = await api.body(200, "GET", "/api/audit/verify");
    assert.deepEqual([data.ok, data.problem], [true, null]);
    assert.ok(data.last_seq >= entries[0].seq);
    assert.match(entries[0].hash, /^[0-9a-f]{64}$/);
  });
});

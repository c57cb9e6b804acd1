import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("the configuration as files", (api) => {
  it("is applied in one transaction, and planned as unchanged afterwards", async () => {
    const name = api.unique("declared");
    const config = { groups: [{ name, settings: { show_draft_mcps: true }, servers: [], members: [] }] };
    const planned = await api.body(200, "POST", "/api/config/plan", { config });
    assert.deepEqual([planned.data.length, planned.data[0].action], [1, "create"]);
    await api.body(200, "POST", "/api/config/apply", { config });
    assert.deepEqual((await api.body(200, "POST", "/api/config/plan", { config })).data, []);
    const exported = (await api.body(200, "GET", "/api/config")).data.config.groups;
    assert.ok(exported.some((group: { name: string }) => group.name === name));
    const broken = {
      groups: [{ name: api.unique("other") }, { name: api.unique("broken"), members: ["unknown@example.com"] }],
    };
    const before = (await api.body(200, "GET", "/api/groups?limit=100")).data.length;
    await api.body(400, "POST", "/api/config/apply", { config: broken });
    assert.equal((await api.body(200, "GET", "/api/groups?limit=100")).data.length, before);
  });
});

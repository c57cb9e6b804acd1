import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("the configuration as files", (api) => {
  it("is applied in one transaction, and planned as unchanged afterwards [API-22]", async () => {
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

  it("locks what it declares, until it is released [API-22]", async () => {
    const name = api.unique("locked");
    const config = { groups: [{ name, servers: [] }] };
    await api.body(200, "POST", "/api/config/apply", { config });
    const path = `/api/groups?name=${encodeURIComponent(name)}`;
    const refused = await api.body(409, "DELETE", path);
    assert.match(refused.message, /is managed by files/);
    await api.body(200, "PATCH", path, { settings: { show_draft_mcps: true } });
    const { data: managed } = await api.body(200, "GET", "/api/config/managed");
    assert.ok(managed.some((object: { key: string }) => object.key === name));
    await api.body(200, "POST", "/api/config/release", { kind: "groups", key: name });
    await api.body(200, "DELETE", path);
    await api.body(404, "POST", "/api/config/release", { kind: "groups", key: name });
  });
});

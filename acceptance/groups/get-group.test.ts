import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

/** An addition to the contract (decision 0052). */
forEachTarget("GET /api/groups/{name}", (api) => {
  const pathOf = (name: string) => `/api/groups/${encodeURIComponent(name)}`;

  const tokens = { tokens_estimate: 0, largest: [] };

  it("returns the group as the list does, with the tokens of its tools, without regard to case", async () => {
    const person = await api.person();
    const name = await api.group({ name: api.unique("Crew & Co/"), emails: [person.email] });
    const { data: listed } = await api.body(200, "GET", `/api/groups?search=${encodeURIComponent(name)}`);
    assert.equal(listed[0].users_count, 1);
    await api.expect(200, { data: { ...listed[0], ...tokens } }, "GET", pathOf(name));
    await api.expect(200, { data: { ...listed[0], ...tokens } }, "GET", pathOf(name.toUpperCase()));
  });

  it("returns what creation with return=full returned", async () => {
    const answer = await api.body(201, "POST", "/api/groups?return=full", { name: api.unique("full") });
    await api.expect(200, { data: { ...answer.data, ...tokens } }, "GET", pathOf(answer.data.name));
    await api.invalid("return: must be one of full", "POST", "/api/groups?return=all", { name: "x" });
  });

  it("404 for an unknown group, 400 for a blank name", async () => {
    await api.expect(404, { error: "Group not found" }, "GET", pathOf(api.unique("none")));
    await api.invalid("name: name is required", "GET", "/api/groups/%20");
  });

  it("requires the scope admin:read", async () => {
    const name = await api.group();
    for (const [scope, status] of [
      ["admin:read", 200],
      ["connect:read", 403],
    ] as const) {
      const headers = { authorization: `Bearer ${await api.tokenWith(scope)}` };
      assert.equal((await api.call("GET", pathOf(name), undefined, headers)).status, status);
    }
  });
});

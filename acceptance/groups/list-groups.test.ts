import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("GET /api/groups", (api) => {
  const word = api.unique("list");
  const names = [`First ${word}`, `second ${word.toUpperCase()}`, `Third ${word}`];
  const list = (query: string) => api.body(200, "GET", `/api/groups?search=${word}&${query}`);
  const namesOf = (data: readonly { name: string }[]) => data.map((group) => group.name);

  before(async () => {
    for (const name of names) await api.group({ name });
  });

  it("returns groups and their pagination, and nothing else [S4.3-list S2.8-skip]", async () => {
    const answer = await list("");
    assert.deepEqual(Object.keys(answer).sort(), ["data", "pagination"]);
    assert.deepEqual(answer.pagination, { skip: 0, limit: 100, hasMore: false });
    for (const group of answer.data) {
      const settings = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false };
      assert.deepEqual(group.settings, settings);
      assert.deepEqual([group.users_count, group.integrations_count], [0, 0]);
    }
  });

  it("skip and limit page through the list [S4.3-list-pages S2.8-skip]", async () => {
    const first = await list("limit=2");
    assert.deepEqual(namesOf(first.data), names.slice(0, 2));
    assert.deepEqual(first.pagination, { skip: 0, limit: 2, hasMore: true });
    const last = await list("skip=2&limit=2");
    assert.deepEqual(namesOf(last.data), names.slice(2));
    assert.deepEqual(last.pagination, { skip: 2, limit: 2, hasMore: false });
  });

  it("search filters by name literally, without regard to case [S4.3-list-search]", async () => {
    const found = async (text: string) =>
      namesOf((await api.body(200, "GET", `/api/groups?search=${encodeURIComponent(text)}`)).data);
    assert.deepEqual(await found(word.toUpperCase()), names);
    assert.deepEqual(await found(`SECOND ${word}`), [names[1]]);
    assert.deepEqual(await found(`_${word.slice(1)}`), []);
  });
});

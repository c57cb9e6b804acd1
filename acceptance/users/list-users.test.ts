import assert from "node:assert/strict";
import { before, it } from "node:test";
import { ISO_TIME } from "../kit/contract.ts";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("GET /api/users", (api) => {
  const word = api.unique("list");
  const list = (query: string) => api.body(200, "GET", `/api/users?search=${word}&${query}`);
  const emailsOf = (data: readonly { email: string }[]) => data.map((user) => user.email);
  const byName = `${api.unique("n")}@example.com`;
  const byEmail = `${word}@example.com`;
  let bot: string;

  before(async () => {
    await api.person({ name: `Zoë ${word.toUpperCase()}`, email: byName });
    await api.person({ name: "Somebody", email: byEmail });
    bot = (await api.machineUser({ name: `Bot ${word}` })).email;
  });

  it("returns people and machine users with their pagination, and nothing else [S4.4-list S2.6-fields S2.8-skip]", async () => {
    const answer = await list("");
    assert.deepEqual(Object.keys(answer).sort(), ["data", "pagination"]);
    assert.deepEqual(answer.pagination, { skip: 0, limit: 100, hasMore: false });
    assert.deepEqual(emailsOf(answer.data), [byName, byEmail, bot]);
    for (const user of answer.data) {
      assert.equal(user.is_machine_user, user.email === bot);
      assert.ok(Array.isArray(user.group_ids));
      assert.match(user.created_at, ISO_TIME);
      assert.match(user.updated_at, ISO_TIME);
      assert.equal(Array.isArray(user.owner_ids), user.email === bot);
    }
  });

  it("search matches name or email, without regard to case [S4.4-list-search]", async () => {
    const found = async (text: string) =>
      emailsOf((await api.body(200, "GET", `/api/users?search=${encodeURIComponent(text)}`)).data);
    assert.deepEqual(await found(`ZOË ${word}`), [byName]);
    assert.deepEqual(await found(byEmail.toUpperCase()), [byEmail]);
    assert.deepEqual(await found(`${word}%`), []);
  });

  it("skip and limit page through the list [S4.4-list-pages S2.8-skip]", async () => {
    const first = await list("limit=2");
    assert.deepEqual(emailsOf(first.data), [byName, byEmail]);
    assert.deepEqual(first.pagination, { skip: 0, limit: 2, hasMore: true });
    const last = await list("skip=2&limit=2");
    assert.deepEqual(emailsOf(last.data), [bot]);
    assert.deepEqual(last.pagination, { skip: 2, limit: 2, hasMore: false });
  });
});

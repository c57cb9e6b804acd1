import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createPerson } from "#test/factories";

forEachApi("GET /api/users", (api) => {
  const emails = async (query: string) => {
    const { status, body } = await api.call("GET", `/api/users${query}`);
    assert.equal(status, 200);
    return body.data.map((user: { email: string }) => user.email);
  };
  const bot = "ci-bot";
  before(async () => {
    await createPerson(api.service, "Zoë 100%", "Zoe@Example.com");
    await createPerson(api.service, "under_score", "u_s@example.com");
    await createPerson(api.service, "back\\slash", "b@example.com");
    await createMachineUser(api.service, bot);
  });

  it("200 with people and machine users as they were created, and the page", async () => {
    const { body } = await api.call("GET", "/api/users");
    assert.deepEqual(body.pagination, { skip: 0, limit: 100, hasMore: false });
    const [zoe, , , machine] = body.data;
    assert.deepEqual([zoe.is_machine_user, "slug" in zoe, "owner_ids" in zoe], [false, false, false]);
    assert.deepEqual([machine.is_machine_user, machine.slug, machine.owner_ids], [true, bot, []]);
    assert.equal(body.data.length, 4);
  });

  it("search is in name and e-mail, in any case, and takes %, _ and \\ literally", async () => {
    assert.deepEqual(await emails("?search=ZO%C3%8B"), ["Zoe@Example.com"]);
    assert.deepEqual(await emails("?search=zoe@example"), ["Zoe@Example.com"]);
    assert.deepEqual(await emails("?search=%25"), ["Zoe@Example.com"]);
    assert.deepEqual(await emails("?search=_"), ["u_s@example.com"]);
    assert.deepEqual(await emails("?search=%5C"), ["b@example.com"]);
    assert.deepEqual(await emails("?search=machine.example.com"), [`${bot}@machine.example.com`]);
  });

  it("group_ids names the groups, oldest first", async () => {
    const first = await createGroup(api.service, "b", { emails: ["zoe@example.com"] });
    const second = await createGroup(api.service, "a", { emails: ["zoe@example.com"] });
    const [zoe] = (await api.call("GET", "/api/users?search=zoe")).body.data;
    assert.deepEqual(zoe.group_ids, [first, second]);
  });

  it("skip and limit walk through all of them", async () => {
    const walked: string[] = [];
    for (let skip = 0, hasMore = true; hasMore; skip += 3) {
      const { body } = await api.call("GET", `/api/users?skip=${skip}&limit=3`);
      assert.deepEqual([body.pagination.skip, body.pagination.limit], [skip, 3]);
      walked.push(...body.data.map((user: { email: string }) => user.email));
      hasMore = body.pagination.hasMore;
    }
    assert.deepEqual(walked, await emails(""));
  });
});

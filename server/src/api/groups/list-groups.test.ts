import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";

forEachApi("GET /api/groups", (api) => {
  const names = async (query: string) => {
    const { status, body } = await api.call("GET", `/api/groups${query}`);
    assert.equal(status, 200);
    return body.data.map((group: { name: string }) => group.name);
  };
  before(async () => {
    const slug = await createServer(api.service, "Linked");
    await createPerson(api.service, "Ada", "ada@example.com");
    await createGroup(api.service, "Größe 100%", { slugs: [slug], emails: ["ada@example.com"] });
    await createGroup(api.service, "under_score");
    await createGroup(api.service, "back\\slash");
    await createGroup(api.service, "plain", { settings: { show_draft_mcps: true } });
  });

  it("200 with the groups, oldest first, with counts and pagination (Spec 2.8)", async () => {
    const { body } = await api.call("GET", "/api/groups");
    assert.deepEqual(body.pagination, { skip: 0, limit: 100, hasMore: false });
    const [first, , , last] = body.data;
    assert.deepEqual([first.name, first.users_count, first.integrations_count], ["Größe 100%", 1, 1]);
    assert.deepEqual([last.name, last.settings.show_draft_mcps], ["plain", true]);
  });

  it("searches names without regard to case, and matches %, _, and \\ literally", async () => {
    assert.deepEqual(await names("?search=GR%C3%96%C3%9FE"), ["Größe 100%"]);
    assert.deepEqual(await names("?search=%25"), ["Größe 100%"]);
    assert.deepEqual(await names("?search=_"), ["under_score"]);
    assert.deepEqual(await names("?search=%5C"), ["back\\slash"]);
    assert.deepEqual(await names("?search=ada"), []);
  });

  it("paginates with skip and limit", async () => {
    const walked: string[] = [];
    for (let skip = 0, hasMore = true; hasMore; skip += 3) {
      const { body } = await api.call("GET", `/api/groups?skip=${skip}&limit=3`);
      assert.deepEqual([body.pagination.skip, body.pagination.limit], [skip, 3]);
      walked.push(...body.data.map((group: { name: string }) => group.name));
      hasMore = body.pagination.hasMore;
    }
    assert.deepEqual(walked, await names(""));
  });
});

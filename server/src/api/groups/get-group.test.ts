import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";

forEachApi("GET /api/groups/{name}", (api) => {
  const pathOf = (name: string) => `/api/groups/${encodeURIComponent(name)}`;
  before(async () => {
    const slug = await createServer(api.service, "Linked");
    await createPerson(api.service, "Ada", "ada@example.com");
    const settings = { show_draft_mcps: true };
    await createGroup(api.service, "Größe 100%", { slugs: [slug], emails: ["ada@example.com"], settings });
  });

  it("returns the group as the list does, and the tokens of its tools", async () => {
    const [listed] = (await api.call("GET", "/api/groups")).body.data;
    assert.deepEqual([listed.users_count, listed.integrations_count], [1, 1]);
    const tokens = { tokens_estimate: 0, largest: [] };
    await api.expect(200, { data: { ...listed, ...tokens } }, "GET", pathOf("Größe 100%"));
  });

  it("finds the name without regard to case, and names that need encoding", async () => {
    assert.equal((await api.call("GET", pathOf("GRÖßE 100%"))).body.data.name, "Größe 100%");
    for (const name of ["a/b?c=d&e#f", "two\nlines", "users", "x/integrations"]) {
      await createGroup(api.service, name);
      assert.equal((await api.call("GET", pathOf(name))).body.data?.name, name);
    }
  });

  it("404 for an unknown group, and for a path without a name", async () => {
    await api.expect(404, { error: "Group not found" }, "GET", pathOf("nowhere"));
    await api.expect(404, { error: "Not found" }, "GET", "/api/groups/");
  });

  it("400 for a blank name and for NUL", async () => {
    await api.invalid("name: name is required", "GET", "/api/groups/%20");
    await api.invalid("name: must be well-formed text without NUL characters", "GET", "/api/groups/a%00");
  });
});

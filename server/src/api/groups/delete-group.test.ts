import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";

forEachApi("DELETE /api/groups", (api) => {
  it("200 deletes only the group and its links, and a new group with its name inherits nothing (AZ-7)", async () => {
    const slug = await createServer(api.service, "Linked", undefined, { status: "active" });
    await createPerson(api.service, "Ada", "ada@example.com");
    const links = { slugs: [slug], emails: ["ada@example.com"] };
    await createGroup(api.service, "Gone", links);
    const kept = await createGroup(api.service, "Kept", links);
    await api.expect(200, { message: "Group deleted successfully" }, "DELETE", "/api/groups?name=GONE");
    await api.expect(404, { error: "Group not found" }, "DELETE", "/api/groups?name=gone");

    const [ada] = (await api.call("GET", "/api/users?search=ada")).body.data;
    assert.deepEqual(ada.group_ids, [kept]);
    assert.equal((await api.call("GET", `/api/mcp-servers/${slug}`)).status, 200);
    await createGroup(api.service, "Gone");
    const [again] = (await api.call("GET", "/api/groups?search=gone")).body.data;
    assert.deepEqual([again.users_count, again.integrations_count], [0, 0]);
    const scoped = await api.call("GET", "/api/mcp-servers", undefined, { "x-service-group": "gone" });
    assert.deepEqual(scoped.body.data, []);
  });
});

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createPerson, createSyncedServer, type MachineUser } from "#test/factories";
import { listText } from "#test/mcp-messages";
import { startRawUpstream } from "#test/upstreams/raw";

const SUCCESS = { data: { success: true } };

forEachApi("DELETE /api/groups/{name}/users", (api) => {
  let bot: MachineUser;
  let slug = "";
  before(async () => {
    const upstream = await startRawUpstream();
    slug = await createSyncedServer(api.service, "Echo", upstream.url);
    // The tools are synced, and no test calls one.
    await upstream.close();
    await createPerson(api.service, "Ada", "Ada@Example.com");
    bot = await createMachineUser(api.service, "bot");
  });
  const groupsOf = async (name: string) => (await api.call("GET", `/api/users?search=${name}@`)).body.data[0].group_ids;
  const toolCount = async () => (await api.service.mcp(bot.credential, listText("legacy"))).body.result.tools.length;

  describe("200", () => {
    it("the user loses this group's access immediately, and names match without regard to case", async () => {
      await createGroup(api.service, "Ä/B", { slugs: [slug], emails: [bot.email, "ada@example.com"] });
      const other = await createGroup(api.service, "Other", { emails: [bot.email] });
      assert.equal(await toolCount(), 2);
      const path = `/api/groups/${encodeURIComponent("ä/b")}/users`;
      await api.expect(200, SUCCESS, "DELETE", `${path}?email=${bot.email.toUpperCase()}`);
      assert.equal(await toolCount(), 0);
      assert.deepEqual(await groupsOf("bot"), [other]);
      assert.equal((await groupsOf("ada")).length, 1);
    });

    it("succeeds for a user who is not a member, with an empty audit entry", async () => {
      await createGroup(api.service, "Twice", { emails: ["ada@example.com"] });
      for (const emails of [["Ada@Example.com"], []]) {
        const path = "/api/groups/twice/users?email=ada@example.com";
        const [row] = await api.auditOf(() => api.expect(200, SUCCESS, "DELETE", path));
        assert.deepEqual([row?.target_name, row?.before, row?.after], ["Twice", { emails }, null]);
      }
    });
  });

  it("400 for a missing name or email, 404 for an unknown group, then for an unknown user", async () => {
    await createGroup(api.service, "Strict");
    await api.invalid("name: name is required", "DELETE", "/api/groups/%20/users?email=x");
    await api.invalid("email query parameter is required", "DELETE", "/api/groups/nowhere/users");
    await api.expect(404, { error: "Group not found" }, "DELETE", "/api/groups/nowhere/users?email=X");
    await api.expect(404, { error: "User not found: X" }, "DELETE", "/api/groups/strict/users?email=X");
  });
});

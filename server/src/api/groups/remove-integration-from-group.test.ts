import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { callText, listText } from "#test/mcp-messages";
import { startRawUpstream } from "#test/upstreams/raw";

const SUCCESS = { data: { success: true } };
const UNKNOWN_TOOL = -32602;

forEachApi("DELETE /api/groups/{name}/integrations", (api) => {
  let bot: MachineUser;
  before(async () => {
    const upstream = await startRawUpstream();
    for (const name of ["Kept", "Taken"]) await createSyncedServer(api.service, name, upstream.url);
    // The tools are synced, and no test calls one.
    await upstream.close();
    bot = await createMachineUser(api.service, "bot");
  });
  const listed = async () => {
    const { tools } = (await api.service.mcp(bot.credential, listText("legacy"))).body.result;
    return tools.map((tool: { name: string }) => tool.name);
  };
  const count = async (group: string) =>
    (await api.call("GET", `/api/groups?search=${group}`)).body.data[0].integrations_count;

  describe("200", () => {
    it("members lose access immediately, and other groups keep the server", async () => {
      await createGroup(api.service, "Ä/B", { slugs: ["kept", "taken"], emails: [bot.email] });
      await createGroup(api.service, "Other", { slugs: ["taken"] });
      assert.equal((await listed()).length, 4);
      await api.expect(200, SUCCESS, "DELETE", `/api/groups/${encodeURIComponent("ä/b")}/integrations?slug=taken`);
      assert.deepEqual(await listed(), ["kept__echo", "kept__headers"]);
      const call = callText({ era: "legacy", id: "1", tool: "taken__echo", arguments: "{}" });
      assert.equal((await api.service.mcp(bot.credential, call)).body.error.code, UNKNOWN_TOOL);
      assert.equal(await count("other"), 1);
      assert.equal((await api.call("GET", "/api/mcp-servers/taken")).status, 200);
    });

    it("notes changes of the group and the server", async () => {
      const group = await createGroup(api.service, "Noted", { slugs: ["kept"] });
      const server = (await api.call("GET", "/api/mcp-servers/kept")).body.data.id;
      await api.expect(200, SUCCESS, "DELETE", "/api/groups/noted/integrations?slug=kept");
      const { revision } = await api.db.selectFrom("change_counter").select("revision").executeTakeFirstOrThrow();
      const changes = await api.db.selectFrom("changes").selectAll().where("revision", "=", revision).execute();
      const noted = changes.map((change) => `${change.kind} ${change.target_id}`).sort();
      assert.deepEqual(noted, [`group ${group}`, `server ${server}`]);
    });

    it("succeeds for a server that is not in the group, with an empty audit entry", async () => {
      await createGroup(api.service, "Twice", { slugs: ["kept"] });
      for (const slugs of [["kept"], []]) {
        const path = "/api/groups/twice/integrations?slug=kept";
        const [row] = await api.auditOf(() => api.expect(200, SUCCESS, "DELETE", path));
        assert.deepEqual([row?.target_name, row?.before, row?.after], ["Twice", { slugs }, null]);
      }
      assert.equal(await count("twice"), 0);
    });
  });

  it("400 for a missing name or slug, 404 for an unknown group, then for an unknown server", async () => {
    await createGroup(api.service, "Strict");
    await api.invalid("name: name is required", "DELETE", "/api/groups/%20/integrations?slug=x");
    await api.invalid("slug query parameter is required", "DELETE", "/api/groups/nowhere/integrations");
    await api.expect(404, { error: "Group not found" }, "DELETE", "/api/groups/nowhere/integrations?slug=x");
    await api.expect(404, { error: "MCP server not found" }, "DELETE", "/api/groups/strict/integrations?slug=x");
  });
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";

forEachApi("DELETE /api/mcp-servers", (api) => {
  const linked = async (serverId: string) => ({
    tools: await api.db.selectFrom("server_tools").selectAll().where("server_id", "=", serverId).execute(),
    groups: await api.db.selectFrom("group_servers").selectAll().where("server_id", "=", serverId).execute(),
    connections: await api.db.selectFrom("connections").selectAll().where("server_id", "=", serverId).execute(),
  });

  it("deletes tools, group links, and users' credentials, so that a new server inherits nothing (AZ-7)", async () => {
    const rest = { auth_settings: { authType: "proxy-oauth", clientId: "old", clientSecret: "old" } };
    const slug = await createServer(api.service, "Again", undefined, rest);
    await createGroup(api.service, "linked", { slugs: [slug] });
    const userId = await createPerson(api.service, "Ada", "ada@example.com");
    const { id } = (await api.call("GET", `/api/mcp-servers/${slug}`)).body.data;
    const times = { created_at: 1, updated_at: 1 };
    await api.db
      .insertInto("connections")
      .values({
        ...times,
        id: "con_1",
        user_id: userId,
        server_id: id,
        kind: "oauth",
        state: "connected",
        sealed_credential: "x",
      })
      .execute();
    await api.db
      .insertInto("server_tools")
      .values({
        ...times,
        server_id: id,
        upstream_name: "t",
        slug: "t",
        title: "t",
        description: "",
        definition: "{}",
        position: 0,
        enabled: false,
      })
      .execute();

    const message = "MCP server deleted successfully";
    await api.expect(200, { message }, "DELETE", `/api/mcp-servers?slug=${slug}`);
    assert.deepEqual(await linked(id), { tools: [], groups: [], connections: [] });
    await api.expect(404, { error: "MCP server not found" }, "DELETE", `/api/mcp-servers?slug=${slug}`);

    assert.equal(await createServer(api.service, "Again"), slug);
    const { data } = (await api.call("GET", `/api/mcp-servers/${slug}`)).body;
    assert.notEqual(data.id, id);
    assert.deepEqual(await linked(data.id), { tools: [], groups: [], connections: [] });
    assert.deepEqual(data.auth_settings, { authType: "none", hasClientSecret: false });
    const scoped = await api.call("GET", "/api/mcp-servers", undefined, { "x-service-group": "linked" });
    assert.deepEqual(scoped.body.data, []);
    assert.equal((await api.call("GET", "/api/groups?search=linked")).body.data[0].integrations_count, 0);
  });

  it("responds with 404 for a slug in another case", async () => {
    await createServer(api.service, "Exact");
    await api.expect(404, { error: "MCP server not found" }, "DELETE", "/api/mcp-servers?slug=EXACT");
  });

  it("succeeds once and responds with 404 nine times for ten concurrent requests", async () => {
    const slug = await createServer(api.service, "Contested");
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.call("DELETE", `/api/mcp-servers?slug=${slug}`)),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, ...Array(9).fill(404)]);
  });
});

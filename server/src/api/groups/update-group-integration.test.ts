import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { rpc } from "#test/gateway-kit";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const LONG = "a name that no client would take";
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

forEachApi("PATCH /api/groups/{name}/integrations", (api) => {
  let upstream: RawUpstream;
  let bot: MachineUser;
  const path = "/api/groups/Readers/integrations?slug=desk";
  before(async () => {
    upstream = await startRawUpstream({ tools: ["search", "create", LONG].map(tool), prompts: [{ name: "ask" }] });
    bot = await createMachineUser(api.service, "Bot");
    await createSyncedServer(api.service, "Desk", upstream.url);
    await createServer(api.service, "Bare", "http://127.0.0.1:1/mcp");
    await createServer(api.service, "Other", "http://127.0.0.1:1/mcp");
    await createGroup(api.service, "Readers", { slugs: ["desk", "bare"], emails: [bot.email] });
  });
  after(() => upstream.close());

  const listed = async () => {
    const { body } = await api.service.mcp(bot.credential, rpc("tools/list", {}));
    return body.result.tools.map(({ name }: { name: string }) => name.replace("desk__", ""));
  };
  const call = (name: string) => api.service.mcp(bot.credential, rpc("tools/call", { name, arguments: {} }));
  const select = async (body: object, at = path) => {
    const answer = await api.call("PATCH", at, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  /** What the upstream lists from now on. */
  const provide = async (...names: string[]) => {
    upstream.tools = names.map(tool);
    assert.equal((await api.call("POST", "/api/mcp-servers/desk/sync")).status, 200);
  };

  it("grants only the selected tools, by slug or name at the server", async () => {
    const { data, warnings } = await select({ tools: ["search", LONG] });
    const [, slug] = data.tools;
    assert.deepEqual(
      [data.group, data.server, data.tools.length, data.new_tools, data.granted_tools, data.total_tools, warnings],
      ["Readers", "desk", 2, "hold", 2, 3, undefined],
    );
    assert.deepEqual(await listed(), ["search", slug]);
    await select({ tools: ["search", slug] });
    assert.deepEqual(await listed(), ["search", slug]);
  });

  it("answers a call of another tool like one of an unknown tool, without calling the server", async () => {
    await select({ tools: ["search"] });
    const before = upstream.count("tools/call");
    const [hidden, unknown] = [await call("desk__create"), await call("desk__nothing")];
    assert.deepEqual(
      [hidden.status, hidden.text.replaceAll("create", "nothing").replace(/"requestId":"[^"]*"/, "")],
      [unknown.status, unknown.text.replace(/"requestId":"[^"]*"/, "")],
    );
    assert.equal(upstream.count("tools/call"), before);
    assert.equal((await call("desk__search")).status, 200);
    const prompts = await api.service.mcp(bot.credential, rpc("prompts/list", {}));
    assert.equal(prompts.body.result.prompts.length, 1);
  });

  it("grants a tool if one of the user's groups does", async () => {
    await select({ tools: ["search"] });
    await createGroup(api.service, "Writers", { slugs: ["desk"], emails: [bot.email] });
    await select({ tools: ["create"] }, "/api/groups/writers/integrations?slug=desk");
    assert.deepEqual(await listed(), ["search", "create"]);
    await select({ tools: null }, "/api/groups/writers/integrations?slug=desk");
    assert.equal((await listed()).length, 3);
    assert.equal((await api.call("DELETE", "/api/groups?name=Writers")).status, 200);
    assert.deepEqual(await listed(), ["search"]);
  });

  it("holds or includes tools that the server adds later, and remembers those that return", async () => {
    await select({ tools: ["search"] });
    await provide("search", "create", "later");
    assert.deepEqual(await listed(), ["search"]);
    const held = (await api.call("GET", "/api/access/grants?group=readers&server=desk")).body.data[0];
    assert.deepEqual([held.held_tools, held.missing_tools], [["later"], []]);

    await select({ tools: ["search", "later"], new_tools: "include" });
    await provide("search", "later", "latest");
    assert.deepEqual(await listed(), ["search", "later", "latest"]);
    await provide("search", "create", "latest");
    assert.deepEqual(await listed(), ["search", "latest"], "a tool that was not selected stays out");

    await select({ tools: null, new_tools: "hold" });
    await provide("search", "create", "newest");
    assert.deepEqual(await listed(), ["search", "create"]);
    const missing = (await api.call("GET", "/api/access/grants?server=desk")).body.data[0];
    assert.deepEqual([missing.held_tools, missing.missing_tools], [["newest"], ["latest"]]);
    assert.deepEqual((await select({ new_tools: "include" })).data.tools, ["search", "create"]);
    await provide("search", "create", LONG);
    await select({ tools: null });
    assert.equal((await listed()).length, 3);
  });

  it("accepts names for a server that was never synced, with a warning, but only if new tools are held", async () => {
    const bare = "/api/groups/Readers/integrations?slug=bare";
    const { data, warnings } = await select({ tools: ["any"] }, bare);
    assert.deepEqual([data.tools, data.new_tools, data.missing_tools], [["any"], "hold", []]);
    assert.deepEqual(warnings, ["Bare has not been synced yet, so the names of tools were not checked"]);
    const [include, hold] = ["hold", "include"].map(
      (word) => `new_tools: must be ${word} until the server has been synced`,
    );
    await api.invalid(String(include), "PATCH", bare, { tools: ["any"], new_tools: "include" });
    await api.invalid(String(hold), "PATCH", bare, { tools: null, new_tools: "hold" });
  });

  it("rejects unknown tools, servers and groups, and changes nothing", async () => {
    await select({ tools: ["search"] });
    const error = "Tools not found: y, x";
    await api.expect(400, { error }, "PATCH", path, { tools: ["search", "y", "x", "y"] });
    await api.expect(404, { error: "Group not found" }, "PATCH", path.replace("Readers", "None"), { tools: null });
    for (const other of ["none", "other"]) {
      const notInGroup = { error: "Integration not found" };
      await api.expect(404, notInGroup, "PATCH", path.replace("desk", other), { tools: null });
    }
    await api.invalid("slug query parameter is required", "PATCH", "/api/groups/Readers/integrations", { tools: null });
    await api.invalid("tools: must hold at least one tool, or be null", "PATCH", path, { tools: [] });
    await api.invalid("tools: tools or new_tools is required", "PATCH", path, {});
    await api.invalid("tools: must be an array or null", "PATCH", path, { tools: "search" });
    await api.invalid("new_tools: must be one of include, hold", "PATCH", path, { tools: null, new_tools: "x" });
    assert.deepEqual(await listed(), ["search"]);
  });

  it("starts with all tools again when the server returns to the group", async () => {
    await select({ tools: ["search"] });
    await api.call("DELETE", "/api/groups/Readers/integrations?slug=desk");
    await api.call("POST", "/api/groups/Readers/integrations", { slugs: ["desk"] });
    assert.equal((await listed()).length, 3);
  });
});

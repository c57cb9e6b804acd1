import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { signedInAs } from "#test/browser";
import { createGroup, createMachineUser, createPerson, createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const tool = (name: string) => ({
  name,
  inputSchema: { type: "object", properties: { owner: { type: "string" }, page: { type: "integer" } } },
});

forEachApi("toolkits", (api) => {
  let upstream: RawUpstream;
  before(async () => {
    upstream = await startRawUpstream({ tools: ["search", "create"].map(tool) });
    await createSyncedServer(api.service, "Desk", upstream.url);
    await createServer(api.service, "Wiki", upstream.url, { status: "draft" });
    await createPerson(api.service, "Ada", "ada@example.com");
    await createGroup(api.service, "Readers", { slugs: ["desk"], emails: ["ada@example.com"] });
  });
  after(() => upstream.close());
  beforeEach(async () => {
    await api.db.updateTable("users").set({ toolkit: null }).execute();
    const { body } = await api.call("GET", "/api/toolkits");
    for (const { slug } of body.data) await api.call("DELETE", `/api/toolkits?slug=${slug}&force=true`);
  });

  const create = async (body: object) => {
    const answer = await api.call("POST", "/api/toolkits", body);
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const desk = (name: string, rest: object = {}) => ({ server: "desk", tool: name, ...rest });
  const entry = (name: string, rest: object = {}) => {
    const empty = { alias: null, title: null, description: null };
    return { ...desk(name), ...empty, arguments: { fixed: {}, defaults: {}, hidden: [] }, ...rest };
  };

  it("are created as drafts with a slug of their name, and read as they were created", async () => {
    const fixed = { fixed: { owner: "acme" }, defaults: { page: 1 }, hidden: [] };
    const { data } = await create({
      name: "Issue triage",
      description: "For support",
      instructions: "Search first.",
      tools: [desk("search", { alias: "find", title: "Find", arguments: fixed }), desk("create")],
      groups: ["readers"],
    });
    assert.equal(data.slug, "issue-triage");
    assert.deepEqual(data.tools, [
      entry("search", { alias: "find", title: "Find", arguments: fixed }),
      entry("create"),
    ]);
    assert.deepEqual(
      [data.status, data.least_privilege, data.groups, data.owner_email, data.tools_count, data.broken_tools],
      ["draft", false, ["Readers"], null, 2, []],
    );
    const { tokens_estimate, largest, ...same } = (await api.call("GET", "/api/toolkits/issue-triage")).body.data;
    assert.deepEqual(same, data);
    assert.deepEqual(
      [tokens_estimate > 0, largest.map(({ name }: { name: string }) => name).sort()],
      [true, ["desk__create", "desk__find"]],
    );
    assert.equal((await create({ name: "Issue triage" })).data.slug, "issue-triage-2");
  });

  it("are changed field by field, and null clears a text", async () => {
    await create({ name: "Triage", description: "Old", tools: [desk("search")], groups: ["Readers"] });
    const patch = async (body: object) => {
      const answer = await api.call("PATCH", "/api/toolkits?slug=triage", body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };
    const named = await patch({ name: "New", description: null, status: "active", least_privilege: true });
    assert.deepEqual(
      [named.slug, named.name, named.description, named.status, named.least_privilege, named.groups],
      ["triage", "New", "", "active", true, ["Readers"]],
    );
    assert.deepEqual((await patch({ groups: [] })).groups, []);
    await api.invalid("tools: at least one tool is required to activate", "PATCH", "/api/toolkits?slug=triage", {
      tools: [],
    });
    assert.deepEqual((await patch({ tools: [desk("*")] })).tools_count, 2);
  });

  it("get and lose single tools, selected by their alias", async () => {
    await create({ name: "Triage", tools: [desk("search")] });
    const add = async (...tools: object[]) => (await api.call("POST", "/api/toolkits/triage/tools", { tools })).body;
    const acme = desk("search", { alias: "acme", arguments: { fixed: { owner: "acme" } } });
    assert.equal((await add(acme)).data.tools.length, 1, "replaced");
    await api.call("PATCH", "/api/toolkits?slug=triage", { tools: [desk("search"), acme] });
    assert.deepEqual((await add({ ...acme, title: "Acme" })).data.tools[1].title, "Acme");
    assert.deepEqual((await add(desk("search", { title: "All" }))).data.tools[0].title, "All");
    const beta = desk("search", { alias: "beta" });
    await api.call("PATCH", "/api/toolkits?slug=triage", { tools: [acme, beta] });
    assert.match((await add(desk("search"))).message ?? "", /^tools\.0\.alias: desk search has several entries/);
    await api.call("PATCH", "/api/toolkits?slug=triage", { tools: [desk("search"), acme] });
    const path = "/api/toolkits/triage/tools?server=desk&tool=search";
    await api.invalid("alias: the tool has several entries; name the one to remove", "DELETE", path);
    assert.deepEqual((await api.call("DELETE", `${path}&alias=acme`)).body.data.tools, [entry("search")]);
    await api.expect(404, { error: "Tool not found in toolkit" }, "DELETE", `${path}&alias=acme`);
  });

  it("warn about entries without effect, and report them", async () => {
    const { data, warnings } = await create({ name: "T", tools: [desk("none"), { server: "wiki", tool: "*" }] });
    assert.deepEqual(warnings, ['tools.0: MCP server desk has no tool "none"']);
    assert.deepEqual(data.broken_tools, [
      { ...desk("none"), reason: "tool_missing" },
      { server: "wiki", tool: "*", reason: "server_draft" },
    ]);
  });

  it("are rejected with the field or the unknown names", async () => {
    const post = async (body: object) => {
      const answer = await api.call("POST", "/api/toolkits", body);
      return [answer.status, answer.body.error ?? answer.body.message];
    };
    assert.deepEqual(await post({}), [400, "name: name is required"]);
    assert.deepEqual(await post({ name: "T", tools: [{ server: "none", tool: "x" }] }), [
      400,
      "MCP servers not found: none",
    ]);
    assert.deepEqual(await post({ name: "T", groups: ["x", "Readers", "y"] }), [400, "Groups not found: x, y"]);
    assert.deepEqual(await post({ name: "T", tools: [desk("search", { arguments: { fixed: { owner: 5 } } })] }), [
      400,
      "tools.0.arguments.fixed.owner: must be string",
    ]);
    assert.deepEqual(await post({ name: "T", owner_email: "ada@example.com", groups: ["Readers"] }), [
      400,
      "groups: must be empty for a toolkit of a user",
    ]);
    assert.deepEqual(await post({ name: "T", owner_email: "none@example.com" }), [
      400,
      "Users not found: none@example.com",
    ]);
    assert.deepEqual(await post({ name: "T", slug: "No Slug" }), [
      400,
      "slug: slug must contain only lowercase letters, numbers and hyphens, and must not start or end with a hyphen",
    ]);
    assert.deepEqual(await post({ name: "T", instructions: "ä".repeat(4097) }), [
      400,
      "instructions: must be at most 8 KiB",
    ]);
    assert.deepEqual(await post({ name: "T", tools: "all" }), [400, "tools: must be an array"]);
    await api.expect(404, { error: "Toolkit not found" }, "GET", "/api/toolkits/none");
    await api.expect(404, { error: "Toolkit not found" }, "PATCH", "/api/toolkits?slug=none", {});
    await api.invalid("slug query parameter is required", "PATCH", "/api/toolkits", {});
    assert.deepEqual((await api.call("GET", "/api/toolkits")).body.data, []);
  });

  it("are listed by status, server, group and owner", async () => {
    await create({ name: "One", tools: [desk("search")], status: "active", groups: ["Readers"] });
    await create({ name: "Two", tools: [{ server: "wiki", tool: "*" }] });
    await create({ name: "Own", owner_email: "ADA@example.com" });
    const slugs = async (query: string, headers = {}) => {
      const { body } = await api.call("GET", `/api/toolkits?${query}`, undefined, headers);
      return body.data.map(({ slug }: { slug: string }) => slug);
    };
    assert.deepEqual(await slugs(""), ["one", "two", "own"]);
    assert.deepEqual(await slugs("status=active"), ["one"]);
    assert.deepEqual(await slugs("server=wiki"), ["two"]);
    assert.deepEqual(await slugs("search=TWO"), ["two"]);
    assert.deepEqual(await slugs("owner=ada@example.com"), ["own"]);
    assert.deepEqual(await slugs("owner=none"), ["one", "two"]);
    assert.deepEqual(await slugs("", { "x-service-group": "readers" }), ["one"]);
    assert.deepEqual(await slugs("", { "x-service-group": "none" }), []);
    const { body } = await api.call("GET", "/api/toolkits?fields=slug,tools(tool)&limit=1&includeTotal=true");
    assert.deepEqual(body.data, [{ slug: "one", tools: [{ tool: "search" }] }]);
    assert.equal(body.totalCount, 3);
  });

  it("are previewed as a user, saved and unsaved, with the tools that the user does not get", async () => {
    await create({ name: "T", tools: [desk("search", { alias: "find" }), desk("none")], groups: ["Readers"] });
    const saved = (await api.call("GET", "/api/toolkits/t/preview?email=ada@example.com")).body.data;
    assert.deepEqual(
      saved.tools.map((each: { name: string; source: object }) => [each.name, each.source]),
      [["desk__find", desk("search")]],
    );
    assert.deepEqual(saved.hidden, [{ ...desk("none"), reason: "tool_missing" }]);
    await createPerson(api.service, "Out", "out@example.com");
    const outside = (await api.call("GET", "/api/toolkits/t/preview?email=out@example.com")).body.data;
    assert.deepEqual([outside.tools, outside.hidden[0].reason], [[], "toolkit_not_granted"]);
    const preview = async (body: object) =>
      (await api.call("POST", "/api/toolkits/preview", { slug: "t", ...body })).body;
    const fixed = { arguments: { fixed: { owner: "acme" } } };
    const { data } = await preview({ tools: [desk("create", fixed)], email: "ada@example.com" });
    assert.deepEqual(Object.keys(data.tools[0].inputSchema.properties), ["page"]);
    const estimated = await preview({ tools: [desk("*")] });
    assert.deepEqual([estimated.data.tools, estimated.data.tokens_estimate > data.tokens_estimate], [[], true]);
    const wrong = await preview({ tools: [desk("create", { arguments: { fixed: { owner: 1 } } })] });
    assert.equal(wrong.message, "tools.0.arguments.fixed.owner: must be string");
    await api.expect(404, { error: "User not found: x@y.z" }, "GET", "/api/toolkits/t/preview?email=x@y.z");
    assert.equal((await api.call("GET", "/api/toolkits/t")).body.data.tools.length, 2);
  });

  it("join and leave groups, but not those of users", async () => {
    await create({ name: "One" });
    await create({ name: "Own", owner_email: "ada@example.com" });
    const path = "/api/groups/Readers/toolkits";
    await api.expect(400, { error: "Toolkits not found: own, x" }, "POST", path, { slugs: ["one", "own", "x"] });
    await api.expect(200, { data: { success: true } }, "POST", path, { slugs: ["one"] });
    assert.deepEqual((await api.call("GET", "/api/toolkits/one")).body.data.groups, ["Readers"]);
    await api.expect(200, { data: { success: true } }, "DELETE", `${path}?slug=one`);
    await api.expect(404, { error: "Toolkit not found" }, "DELETE", `${path}?slug=none`);
    assert.deepEqual((await api.call("GET", "/api/toolkits/one")).body.data.groups, []);
  });

  it("are bound to machine users, and then deleted only with force", async () => {
    const bot = await createMachineUser(api.service, "bound");
    await create({ name: "One", tools: [desk("search")], status: "active" });
    await create({ name: "Own", owner_email: "ada@example.com" });
    const path = `/api/users?email=${bot.email}`;
    await api.expect(400, { error: "Toolkits not found: own" }, "PATCH", path, { toolkit: "own" });
    const person = "/api/users?email=ada@example.com";
    await api.invalid("toolkit: toolkit can only be set on machine users", "PATCH", person, { toolkit: "one" });
    assert.equal((await api.call("PATCH", path, { toolkit: "one" })).body.data.toolkit, "one");
    const used = { code: "CONFLICT", message: `toolkit is used by machine user ${bot.email}` };
    await api.expect(409, used, "DELETE", "/api/toolkits?slug=one");
    await api.expect(200, { message: "Toolkit deleted successfully" }, "DELETE", "/api/toolkits?slug=one&force=true");
    assert.equal((await api.call("PATCH", path, { toolkit: null })).body.data.toolkit, null);
  });

  it("that agents use are deleted only with force", async () => {
    await create({ name: "One", tools: [desk("search")], status: "active" });
    const provider = { type: "scripted", script: [{ text: "Done" }] };
    const agent = { name: "Runner", instructions: "x", toolkit: "one", provider, model: "scripted" };
    const created = await api.call("POST", "/api/background-agents", agent);
    assert.equal(created.status, 201, created.text);
    const used = { code: "CONFLICT", message: "toolkit is used by agent runner" };
    await api.expect(409, used, "DELETE", "/api/toolkits?slug=one");
    await api.expect(200, { message: "Toolkit deleted successfully" }, "DELETE", "/api/toolkits?slug=one&force=true");
  });

  describe("of users", () => {
    it("are created, changed, listed and deleted for the user", async () => {
      const query = "email=ada@example.com";
      const answer = await api.call("POST", `/api/user/toolkits?${query}`, { name: "Mine", tools: [desk("search")] });
      assert.deepEqual([answer.status, answer.body.data.owner_email], [201, "ada@example.com"]);
      await create({ name: "Shared", tools: [desk("search")], status: "active", groups: ["Readers"] });
      await create({ name: "Draft", tools: [desk("search")], groups: ["Readers"] });
      const { body } = await api.call("GET", `/api/user/toolkits?${query}`);
      assert.deepEqual(
        body.data.map((one: { slug: string; own: boolean }) => [one.slug, one.own]),
        [
          ["shared", false],
          ["mine", true],
        ],
      );
      const patch = `/api/user/toolkits?${query}&slug=mine`;
      assert.equal((await api.call("PATCH", patch, { name: "Changed" })).body.data.name, "Changed");
      await api.expect(404, { error: "Toolkit not found" }, "PATCH", patch.replace("mine", "shared"), { name: "x" });
      assert.equal((await api.call("GET", `/api/user/toolkits/mine?${query}`)).body.data.name, "Changed");
      await api.expect(200, { message: "Toolkit deleted successfully" }, "DELETE", patch);
      await api.expect(404, { error: "User not found: x@y.z" }, "GET", "/api/user/toolkits?email=x@y.z");
    });

    it("cannot tell a tool or server that the user cannot call from an unknown one", async () => {
      const eve = await signedInAs(api.service, "member", "eve@example.com");
      const post = async (...tools: object[]) => {
        const { status, body } = await eve.api("POST", "/api/me/toolkits", { name: "Spy", tools });
        return [status, body.error ?? body.warnings];
      };
      assert.deepEqual(await post(desk("search")), [400, "MCP servers not found: desk"]);
      assert.deepEqual(await post({ server: "none", tool: "x" }), [400, "MCP servers not found: none"]);
      await createGroup(api.service, "Some", { slugs: ["desk"], emails: ["eve@example.com"] });
      await api.call("PATCH", "/api/groups/Some/integrations?slug=desk", { tools: ["search"] });
      const fixed = { arguments: { fixed: { owner: 5 } } };
      const missing = (name: string) => [201, [`tools.0: MCP server desk has no tool "${name}"`]];
      assert.deepEqual(await post(desk("create", fixed)), missing("create"));
      assert.deepEqual(await post(desk("none", fixed)), missing("none"));
      const { body } = await eve.api("GET", "/api/me/toolkits/spy");
      assert.deepEqual(body.data.broken_tools, [{ ...desk("create"), reason: "tool_missing" }]);
      assert.equal((await eve.api("DELETE", "/api/me/toolkits?slug=spy")).status, 200);
      assert.equal((await eve.api("GET", "/api/toolkits")).status, 403);
    });

    it("are limited in number, and deleted with their owner", async () => {
      await createPerson(api.service, "Max", "max@example.com");
      const path = "/api/user/toolkits?email=max@example.com";
      for (let n = 0; n < 50; n++) assert.equal((await api.call("POST", path, { name: "T" })).status, 201);
      assert.equal((await api.call("POST", path, { name: "T" })).status, 409);
      await api.call("DELETE", "/api/users?email=max@example.com");
      assert.deepEqual((await api.call("GET", "/api/toolkits")).body.data, []);
    });
  });
});

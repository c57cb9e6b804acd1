import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { MachineUser } from "../kit/api.ts";
import { send } from "../kit/http.ts";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

const ADD_NUMBERS = {
  name: "add_numbers",
  inputSchema: {
    type: "object",
    required: ["a", "b"],
    properties: { a: { type: "integer" }, b: { type: "integer" } },
  },
};

forEachTarget("Toolkits", (api) => {
  let upstream: Upstream;
  let bot: MachineUser;
  let server: string;
  let group: string;
  before(async () => {
    upstream = await startUpstream(() => [{ name: "echo", inputSchema: { type: "object" } }, ADD_NUMBERS]);
    server = await api.serverOf(upstream.url);
    bot = await api.machineUser();
    group = await api.group({ slugs: [server], emails: [bot.email] });
  });
  after(() => upstream.close());

  /** An active toolkit of the group. */
  const toolkit = async (tools: object[], rest: object = {}): Promise<string> => {
    const body = { name: api.unique("kit"), tools, groups: [group], status: "active", ...rest };
    return (await api.body(201, "POST", "/api/toolkits", body)).data.slug;
  };
  const at = async (path: string, method: string, params: object = {}, headers = {}) => {
    const { status, body } = await send(api.target.gatewayUrl, path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bot.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return { status, body };
  };
  const listed = async (path: string, headers = {}) => {
    const { body } = await at(path, "tools/list", {}, headers);
    return body.result.tools.map(({ name }: { name: string }) => name.replace(`${server}__`, "")).sort();
  };
  const arrived = () => upstream.calls.filter(({ method }) => method === "tools/call");

  it("list only their tools, under their names, and never give access [S2.9-toolkits]", async () => {
    const slug = await toolkit([{ server, tool: "echo", alias: "repeat", title: "Repeat" }]);
    assert.deepEqual(await listed(`/mcp?toolkit=${slug}`), ["repeat"]);
    assert.deepEqual(await listed("/mcp", { "x-service-toolkit": slug }), ["repeat"]);
    assert.deepEqual(await listed("/mcp"), ["add_numbers", "echo"]);
    const { data } = await api.body(200, "GET", `/api/toolkits/${slug}/preview?email=${encodeURIComponent(bot.email)}`);
    assert.deepEqual(
      data.tools.map(({ name, source }: { name: string; source: object }) => [name, source]),
      [[`${server}__repeat`, { server, tool: "echo" }]],
    );
    await api.body(200, "DELETE", `/api/groups/${encodeURIComponent(group)}/integrations?slug=${server}`);
    assert.deepEqual(await listed(`/mcp?toolkit=${slug}`), []);
    await api.body(200, "POST", `/api/groups/${encodeURIComponent(group)}/integrations`, { slugs: [server] });
  });

  it("fix arguments: callers do not see them, cannot set them, and the upstream receives them [S2.9-toolkits]", async () => {
    const slug = await toolkit([{ server, tool: "add_numbers", arguments: { fixed: { a: 40 }, defaults: { b: 2 } } }]);
    const path = `/mcp?toolkit=${slug}`;
    const { body } = await at(path, "tools/list");
    const [tool] = body.result.tools;
    assert.equal(tool.inputSchema.properties.a, undefined);
    assert.ok(!(tool.inputSchema.required ?? []).includes("a"));
    const call = (args: object) => at(path, "tools/call", { name: `${server}__add_numbers`, arguments: args });
    const before = arrived().length;
    const refused = await call({ a: 1, b: 1 });
    assert.deepEqual(
      [refused.body.error.code, refused.body.error.message],
      [-32602, `Argument "a" is fixed by toolkit "${slug}"`],
    );
    const unknown = await at(path, "tools/call", { name: `${server}__echo`, arguments: {} });
    assert.equal(unknown.body.error.code, -32602);
    assert.equal(arrived().length, before);
    assert.equal((await call({})).body.error, undefined);
    assert.deepEqual(arrived().at(-1)?.params.arguments, { b: 2, a: 40 });
  });

  it("apply by default with least privilege", async () => {
    const slug = await toolkit([{ server, tool: "echo" }], { least_privilege: true });
    assert.deepEqual(await listed("/mcp"), ["echo"]);
    const refused = await at("/mcp", "tools/call", { name: `${server}__add_numbers`, arguments: {} });
    assert.equal(refused.body.error.code, -32602);
    const query = `email=${encodeURIComponent(bot.email)}&tool=${server}__add_numbers`;
    const { data } = await api.body(200, "GET", `/api/access/explain?${query}`);
    assert.deepEqual([data.verdict, data.reason], ["refused", "not_in_toolkit"]);
    await api.body(200, "PATCH", `/api/toolkits?slug=${slug}`, { least_privilege: false });
    assert.deepEqual(await listed("/mcp"), ["add_numbers", "echo"]);
  });

  it("decide in the order of their slugs if two have the same name, and the log names the other one", async () => {
    const restricting = { least_privilege: true };
    const first = await toolkit([{ server, tool: "echo", alias: "run" }], {
      ...restricting,
      name: api.unique("a-kit"),
    });
    const second = await toolkit([{ server, tool: "add_numbers", alias: "run" }], {
      ...restricting,
      name: api.unique("b-kit"),
    });
    assert.deepEqual(await listed("/mcp"), ["run"]);
    const answer = await at("/mcp", "tools/call", { name: `${server}__run`, arguments: {} });
    assert.equal(answer.body.error, undefined);
    assert.equal(arrived().at(-1)?.params.name, "echo");
    const { data } = await api.body(200, "GET", `/api/logs?toolkit=${first}&limit=1`);
    const [entry] = data;
    assert.deepEqual([entry.toolkit_slug, entry.toolkit_conflict, entry.tool], [first, second, "echo"]);
    for (const slug of [first, second]) await api.body(200, "DELETE", `/api/toolkits?slug=${slug}`);
  });

  it("that are unknown, drafts or out of reach are the same 404", async () => {
    const draft = await toolkit([{ server, tool: "echo" }], { status: "draft" });
    const other = await toolkit([{ server, tool: "echo" }], { groups: [] });
    for (const slug of ["none", draft, other]) {
      const { status, body } = await at(`/mcp?toolkit=${slug}`, "tools/list");
      assert.deepEqual([status, body], [404, { error: "Toolkit not found" }], slug);
    }
    assert.equal((await at(`/mcp?toolkit=${draft}&toolkit=${other}`, "ping")).status, 400);
    assert.equal((await at(`/mcp?toolkit=${draft}`, "ping", {}, { "x-service-toolkit": other })).status, 400);
  });

  it("bind a machine user, whatever URL it uses", async () => {
    const slug = await toolkit([{ server, tool: "echo" }]);
    const other = await toolkit([{ server, tool: "add_numbers" }]);
    await api.body(200, "PATCH", `/api/users?email=${encodeURIComponent(bot.email)}`, { toolkit: slug });
    assert.deepEqual(await listed("/mcp"), ["echo"]);
    assert.equal((await at(`/mcp?toolkit=${other}`, "tools/list")).status, 404);
    assert.equal((await api.call("DELETE", `/api/toolkits?slug=${slug}`)).status, 409);
    await api.body(200, "PATCH", `/api/users?email=${encodeURIComponent(bot.email)}`, { toolkit: null });
    await api.body(200, "DELETE", `/api/toolkits?slug=${slug}`);
  });

  it("name what is wrong with a body", async () => {
    const path = "/api/toolkits";
    await api.invalid("name: name is required", "POST", path, {});
    await api.expect(400, { error: "MCP servers not found: none" }, "POST", path, {
      name: "x",
      tools: [{ server: "none", tool: "x" }],
    });
    await api.invalid("tools: at least one tool is required to activate", "POST", path, {
      name: "x",
      status: "active",
    });
    const twice = [
      { server, tool: "echo" },
      { server, tool: "add_numbers", alias: "echo" },
    ];
    await api.invalid(`tools.1.alias: duplicate exposed name "${server}__echo"`, "POST", path, {
      name: "x",
      tools: twice,
    });
  });
});

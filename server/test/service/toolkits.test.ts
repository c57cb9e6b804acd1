import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, readEvents, rpc } from "#test/gateway-kit";
import { type HttpAnswer, type Service, startService } from "#test/start-service";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const TOOLS = ["search", "get", "list", "create", "update", "close", "merge", "comment", "label", "delete"];
const inputSchema = {
  type: "object",
  properties: { owner: { type: "string" }, query: { type: "string" }, page: { type: "integer" }, debug: {} },
  required: ["owner", "query"],
};

forEachDatabase("toolkits at the gateway", (open) => {
  let service: Service;
  let github: RawUpstream;
  let echo: EchoUpstream;
  let bot: MachineUser;

  before(async () => {
    service = await startService(await open());
    github = await startRawUpstream({
      tools: TOOLS.map((name) => ({ name, title: name, inputSchema, annotations: { readOnlyHint: true } })),
      prompts: [{ name: "review" }, { name: "triage" }],
      resources: { list: ["res://one", "res://two"].map((uri) => ({ uri, name: uri })) },
    });
    echo = await startEchoUpstream({ tools: ["echo", "other"] });
    await createSyncedServer(service, "gh", github.url);
    await createSyncedServer(service, "real", echo.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "G", { slugs: ["gh", "real"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await github?.close();
    await echo?.close();
  });
  beforeEach(async () => {
    const { body } = await service.api("GET", "/api/toolkits");
    for (const { slug } of body.data) await service.api("DELETE", `/api/toolkits?slug=${slug}`);
    github.seen.length = 0;
  });

  const write = async (method: string, path: string, body?: object): Promise<HttpAnswer["body"]> => {
    const answer = await service.api(method, path, body);
    assert.ok(answer.status === 200 || answer.status === 201, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const create = (slug: string, tools: object[], rest: object = {}) =>
    write("POST", "/api/toolkits", { slug, name: slug, status: "active", groups: ["G"], tools, ...rest });
  const post = (message: unknown, query = "", headers: Record<string, string> = {}, user = bot) =>
    service.http(`/mcp${query}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${user.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: typeof message === "string" ? message : JSON.stringify(message),
    });
  const list = async (query = "", headers: Record<string, string> = {}) => {
    const answer = await post(rpc("tools/list"), query, headers);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.result.tools as { name: string; title?: string; inputSchema: typeof inputSchema }[];
  };
  const names = async (query = "", headers = {}) => (await list(query, headers)).map(({ name }) => name);
  const call = async (name: string, args: object | string, query = "") => {
    const text = typeof args === "string" ? args : JSON.stringify(args);
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${text}}}`;
    return (await post(message, query)).body;
  };
  const openStream = async (): Promise<EventReader> => {
    const { headers } = await post(initializeRequest());
    const session = { "mcp-session-id": String(headers["mcp-session-id"]) };
    const authorization = `Bearer ${bot.credential}`;
    return readEvents(`${service.url}/mcp`, { method: "GET", headers: { authorization, ...session } });
  };
  const sent = () => github.seen.filter(({ method }) => method === "tools/call").map(({ body }) => String(body));

  it("limit a server for a group, change its tools, and notify open streams (families 2c)", async () => {
    const stream = await openStream();
    try {
      const before = await names();
      await create(
        "gh-ro",
        [
          {
            server: "gh",
            tool: "search",
            arguments: { fixed: { owner: "acme" }, defaults: { page: 2 }, hidden: ["debug"] },
          },
          { server: "gh", tool: "get", alias: "fetch", title: "Fetch", description: "Fetches" },
        ],
        { least_privilege: true },
      );
      await stream.until(/tools\/list_changed/);
      const tools = await list();
      const others = before.filter((name) => name.startsWith("real__"));
      assert.deepEqual(
        tools.map(({ name }) => name),
        ["gh__search", "gh__fetch", ...others],
      );
      const { page: defaulted, ...kept } = tools[0]?.inputSchema.properties ?? {};
      assert.deepEqual([kept, defaulted], [{ query: { type: "string" } }, { default: 2, type: "integer" }]);
      assert.deepEqual(tools[0]?.inputSchema.required, ["query"]);
      assert.deepEqual(tools[1], {
        ...tools[1],
        title: "Fetch",
        description: "Fetches",
        annotations: { readOnlyHint: true, title: "Fetch" },
      });

      const args = '{ "query" : "\\u0041" , "debug":[1,{}], "n":12345678901234567890 }';
      assert.ok((await call("gh__search", args)).result);
      assert.match(
        sent()[0] ?? "",
        /"name":"search","arguments":\{"page":2,"owner":"acme", "query" : "\\u0041" , "n":12345678901234567890 \}/,
      );
      const refused = await call("gh__search", { owner: "evil", query: "x" });
      assert.deepEqual(refused.error, { code: -32602, message: 'Argument "owner" is fixed by toolkit "gh-ro"' });
      for (const name of ["gh__delete", "gh__get", "gh__none"]) {
        const { error } = await call(name, {});
        assert.deepEqual(error, { code: -32602, message: `Unknown tool: ${name}` });
      }
      assert.equal(sent().length, 1, "refused calls are not forwarded");
      assert.ok((await call("gh__fetch", {})).result);
      assert.ok((await call("real__echo", { message: "x" })).result);

      const known = stream.text.match(/tools\/list_changed/g)?.length ?? 0;
      await write("DELETE", "/api/groups/G/toolkits?slug=gh-ro");
      await stream.until(new RegExp(`(tools/list_changed[^]*){${known + 1}}`));
      assert.deepEqual(await names(), before);
    } finally {
      stream.close();
    }
  });

  it("are selected by URL or header, and are not found otherwise (F12, F44)", async () => {
    await create("kit", [
      { server: "gh", tool: "get" },
      { server: "real", tool: "echo", alias: "say" },
    ]);
    await create("draft", [{ server: "gh", tool: "get" }], { status: "draft" });
    await create("others", [{ server: "gh", tool: "get" }], { groups: [] });
    const expected = ["gh__get", "real__say"];
    assert.deepEqual(await names("?toolkit=kit"), expected);
    assert.deepEqual(await names("", { "x-service-toolkit": "kit" }), expected);
    assert.deepEqual(await names("?toolkit=kit", { "x-service-toolkit": "kit" }), expected);
    assert.deepEqual(await names("?toolkit=kit&mcp=gh"), ["gh__get"]);
    assert.deepEqual(await names("/real?toolkit=kit"), ["say"]);
    assert.deepEqual(
      (await call("real__say", { message: "hi" }, "?toolkit=kit")).result.content[0].text.includes("hi"),
      true,
    );
    assert.equal((await call("gh__search", {}, "?toolkit=kit")).error.message, "Unknown tool: gh__search");
    for (const slug of ["draft", "others", "none", ""]) {
      const answer = await post(rpc("tools/list"), `?toolkit=${slug}`);
      assert.deepEqual([answer.status, answer.body], [404, { error: "Toolkit not found" }]);
    }
    assert.equal((await post(rpc("tools/list"), "?toolkit=kit&toolkit=kit")).status, 400);
    assert.equal((await post(rpc("tools/list"), "?toolkit=kit", { "x-service-toolkit": "draft" })).status, 400);
    await write("PATCH", "/api/toolkits?slug=kit", { status: "draft" });
    assert.equal((await post(rpc("tools/list"), "?toolkit=kit")).status, 404);
  });

  it("have prompts, resources and instructions", async () => {
    await create("kit", [{ server: "gh", tool: "get" }], {
      instructions: "Read only.",
      prompts: [{ server: "gh", name: "review" }],
      resources: [{ server: "gh", uri: "res://two" }],
    });
    const result = async (method: string, params = {}) => (await post(rpc(method, params), "?toolkit=kit")).body;
    const listed = async (kind: string, key: string) =>
      (await result(`${kind}/list`)).result[kind].map((item: Record<string, unknown>) => item[key]);
    assert.deepEqual(await listed("prompts", "name"), ["gh__review"]);
    assert.deepEqual(await listed("resources", "uri"), ["res://two"]);
    assert.ok((await result("prompts/get", { name: "gh__review" })).result);
    assert.equal((await result("prompts/get", { name: "gh__triage" })).error.code, -32602);
    assert.ok((await result("resources/read", { uri: "res://two" })).result);
    for (const uri of ["res://one", "mcp+gh:res://one", "mcp+gh:res://unlisted"])
      assert.ok((await result("resources/read", { uri })).error, uri);
    assert.equal((await post(initializeRequest(), "?toolkit=kit")).body.result.instructions, "Read only.");
  });

  it("work with tool search", async () => {
    await create("kit", [{ server: "gh", tool: "search", alias: "find", arguments: { fixed: { owner: "acme" } } }]);
    const query = "?toolkit=kit&tools=search";
    assert.equal((await names(query)).length, 3);
    const found = await call("gatehouse__find_tools", { query: "find" }, query);
    const { tools } = found.result.structuredContent;
    assert.deepEqual(
      tools.map(({ name }: { name: string }) => name),
      ["gh__find"],
    );
    assert.equal("owner" in tools[0].inputSchema.properties, false);
    const nested = (args: object) => call("gatehouse__call_tool", { name: "gh__find", arguments: args }, query);
    assert.ok((await nested({ query: "x" })).result);
    assert.match(sent()[0] ?? "", /"owner":"acme"/);
    assert.match((await nested({ owner: "evil" })).error.message, /is fixed by toolkit "kit"$/);
    const unknown = await call("gatehouse__call_tool", { name: "gh__search", arguments: {} }, query);
    assert.equal(unknown.error.message, "Unknown tool: gh__search");
  });

  it("bind a machine user, whose other requests are refused", async () => {
    await create("kit", [{ server: "gh", tool: "get" }], { groups: [] });
    await create("other", [{ server: "gh", tool: "search" }]);
    const path = `/api/users?email=${encodeURIComponent(bot.email)}`;
    const stream = await openStream();
    await write("PATCH", path, { toolkit: "kit" });
    try {
      await stream.until(/tools\/list_changed/);
      assert.deepEqual(await names(), ["gh__get"]);
      assert.deepEqual(await names("?toolkit=kit"), ["gh__get"]);
      assert.equal((await post(rpc("tools/list"), "?toolkit=other")).status, 404);
      await write("DELETE", "/api/toolkits?slug=kit&force=true");
      assert.equal((await post(rpc("tools/list"))).status, 404, "bound to nothing is no access");
    } finally {
      const known = stream.text.match(/tools\/list_changed/g)?.length ?? 0;
      await write("PATCH", path, { toolkit: null });
      await stream.until(new RegExp(`(tools/list_changed[^]*){${known + 1}}`));
      stream.close();
    }
    assert.equal((await names()).length > 1, true);
  });

  it("follow a renamed server, and keep limiting a server that is created again", async () => {
    await createSyncedServer(service, "temp", github.url);
    await write("POST", "/api/groups/G/integrations", { slugs: ["temp"] });
    await create("kit", [{ server: "temp", tool: "get" }], { least_privilege: true });
    const ofServer = async (slug: string) => (await names()).filter((name) => name.startsWith(`${slug}__`));
    assert.deepEqual(await ofServer("temp"), ["temp__get"]);
    await write("PATCH", "/api/mcp-servers?slug=temp", { slug: "renamed" });
    assert.deepEqual(await ofServer("renamed"), ["renamed__get"]);
    await write("DELETE", "/api/mcp-servers?slug=renamed");
    const { data } = await write("GET", "/api/toolkits/kit");
    assert.deepEqual(data.broken_tools, [{ server: "renamed", tool: "get", reason: "server_missing" }]);
    await createSyncedServer(service, "renamed", github.url);
    await write("POST", "/api/groups/G/integrations", { slugs: ["renamed"] });
    assert.deepEqual(await ofServer("renamed"), ["renamed__get"]);
    await write("DELETE", "/api/mcp-servers?slug=renamed");
  });

  it("appear in the log, with the exposed name", async () => {
    await create("logged", [
      { server: "gh", tool: "get", alias: "fetch" },
      { server: "gh", tool: "list" },
    ]);
    await call("gh__fetch", {}, "?toolkit=logged");
    await call("gh__list", {}, "?toolkit=logged");
    await call("gh__get", {}, "?toolkit=logged");
    await call("gh__get", {});
    const { data } = await write("GET", "/api/logs?toolkit=logged");
    const rows = data.map((row: Record<string, unknown>) => [
      row.tool,
      row.exposed_tool,
      row.toolkit_slug,
      row.outcome,
    ]);
    assert.deepEqual(rows, [
      ["get", null, "logged", "denied"],
      ["list", null, "logged", "ok"],
      ["get", "fetch", "logged", "ok"],
    ]);
  });
});

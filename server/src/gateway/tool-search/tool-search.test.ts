import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import fc from "fast-check";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { objectText } from "#test/json-texts";
import { type CallerEra, callText, eraHeaders, requestText } from "#test/mcp-messages";
import { seedFor } from "#test/seed";
import { type Service, startService } from "#test/start-service";
import { type Eras, type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { objectMembers, rawMembers } from "#test/upstreams/raw-json";

const ERAS: readonly CallerEra[] = ["legacy", "modern"];
const SEARCH_TOOLS = ["gatehouse__find_tools", "gatehouse__describe_tool", "gatehouse__call_tool"];
const REGION = { type: "string", "x-mcp-header": "Region" };
const TOOLS = [
  { name: "echo", description: "Repeats its arguments", inputSchema: { type: "object" } },
  {
    name: "headers",
    title: "Request headers",
    description: "Returns what arrived",
    inputSchema: { type: "object", properties: { region: REGION } },
    outputSchema: { type: "object" },
  },
];

/** Behavior does not depend on the database, so one is enough. */
onSqlite("tool search (F13)", (open) => {
  let service: Service;
  let bot: MachineUser;
  const upstreams = new Map<Eras, RawUpstream>();

  before(async () => {
    service = await startService(await open());
    for (const eras of ["modern", "legacy"] as const) {
      const upstream = await startRawUpstream({ eras, tools: TOOLS, prompts: [{ name: "ask" }] });
      upstreams.set(eras, upstream);
      await createSyncedServer(service, eras, upstream.url);
    }
    const hidden = await createSyncedServer(service, "Hidden", upstreams.get("modern")?.url ?? "");
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["modern", "legacy"], emails: [bot.email] });
    await createGroup(service, "others", { slugs: [hidden] });
  });
  after(async () => {
    await service?.close();
    for (const upstream of upstreams.values()) await upstream.close();
  });

  const post = (target: string, body: string, headers: Record<string, string> = {}) => {
    const all = { authorization: `Bearer ${bot.credential}`, "content-type": "application/json", ...headers };
    return service.http(target, { method: "POST", headers: all, body });
  };
  const request = (method: string, target = "/mcp?tools=search", era: CallerEra = "legacy") =>
    post(target, requestText(era, method), eraHeaders(era, method));
  const call = (tool: string, args: string, era: CallerEra = "legacy", options: CallOptions = {}) => {
    const headers = { ...eraHeaders(era, "tools/call", tool), ...options.headers };
    return post(options.target ?? "/mcp?tools=search", callText({ era, id: "1", tool, arguments: args }), headers);
  };
  const find = async (query: string, options: CallOptions = {}) => {
    const { body } = await call("gatehouse__find_tools", JSON.stringify({ query }), "legacy", options);
    return body.result.structuredContent.tools.map(({ name }: { name: string }) => name);
  };
  const callNested = (name: string, args: string, era: CallerEra = "legacy", options: CallOptions = {}) =>
    call("gatehouse__call_tool", `{"name":${JSON.stringify(name)},"arguments":${args}}`, era, options);
  const namesOf = (body: { result: { tools: { name: string }[] } }) => body.result.tools.map(({ name }) => name);
  const lastLogged = async () => {
    const { body } = await service.api("GET", "/api/logs?limit=1");
    return body.data[0];
  };

  for (const era of ERAS) {
    it(`lists exactly its three tools to a ${era} caller, and the prompts of the servers`, async () => {
      for (const target of ["/mcp?tools=search", "/mcp?tools=search&mcp=modern", "/mcp/modern?tools=search"]) {
        assert.deepEqual(namesOf((await request("tools/list", target, era)).body), SEARCH_TOOLS, target);
      }
      const prompts = (await request("prompts/list", undefined, era)).body.result.prompts;
      assert.deepEqual(
        prompts.map(({ name }: { name: string }) => name),
        ["legacy__ask", "modern__ask"],
      );
    });

    it(`finds and describes tools for a ${era} caller`, async () => {
      const found = (await call("gatehouse__find_tools", '{"query":"request header","limit":1}', era)).body.result;
      const tool = { name: "legacy__headers", title: TOOLS[1]?.title, description: TOOLS[1]?.description };
      assert.deepEqual(found.structuredContent, { tools: [{ ...tool, inputSchema: TOOLS[1]?.inputSchema }] });
      assert.deepEqual(JSON.parse(found.content[0].text), found.structuredContent);
      assert.equal(found.resultType, era === "modern" ? "complete" : undefined);
      const described = (await call("gatehouse__describe_tool", '{"name":"legacy__headers"}', era)).body.result;
      const { structuredContent } = described;
      assert.deepEqual([structuredContent.name, structuredContent.outputSchema], [tool.name, { type: "object" }]);
    });

    for (const eras of ["modern", "legacy"] as const) {
      it(`delivers every byte of nested arguments: ${era} caller, ${eras} server (GW-20)`, async (test) => {
        const upstream = upstreams.get(eras);
        assert.ok(upstream);
        const property = fc.asyncProperty(objectText({ lineEnds: true }), async (args) => {
          upstream.seen.length = 0;
          const answer = await callNested(`${eras}__echo`, args, era);
          const seen = upstream.seen.findLast(({ method }) => method === "tools/call");
          const params = objectMembers(rawMembers(seen?.body.toString("latin1") ?? "").get("params"));
          assert.deepEqual([utf8(params.get("arguments")), params.get("name")], [args, '"echo"'], answer.text);
          const result = objectMembers(rawMembers(Buffer.from(answer.text).toString("latin1")).get("result"));
          assert.equal(utf8(result.get("structuredContent")), args);
        });
        await fc.assert(property, { numRuns: 75, seed: seedFor(test) });
      });
    }

    it(`logs a nested call of a ${era} caller under the real server and tool`, async () => {
      await callNested("modern__echo", "{}", era);
      const { server_slug, tool, method, outcome } = await lastLogged();
      assert.deepEqual([server_slug, tool, method, outcome], ["modern", "echo", "tools/call", "ok"]);
    });

    it(`answers a nested call to a tool out of reach like one to an unknown tool (${era})`, async () => {
      const answers = ["hidden__echo", "hidden__none", "nowhere__echo", "gatehouse__call_tool"].map(async (name) => {
        const [nested, direct] = [await callNested(name, "{}", era), await call(name, "{}", era, { target: "/mcp" })];
        assert.deepEqual([nested.status, nested.body], [direct.status, direct.body]);
        return [nested.status, nested.text.replaceAll(name, "X")];
      });
      const all = await Promise.all(answers);
      for (const answer of all) assert.deepEqual(answer, all[0]);
      assert.match(String(all[0]?.[1]), /-32602,"message":"Unknown tool: X"/);
    });
  }

  it("is not in the default view, and its tools are unknown there", async () => {
    assert.equal(namesOf((await request("tools/list", "/mcp")).body).length, 4);
    for (const tool of SEARCH_TOOLS) {
      const { body } = await call(tool, '{"query":"x","name":"modern__echo"}', "legacy", { target: "/mcp" });
      assert.deepEqual(body.error, { code: -32602, message: `Unknown tool: ${tool}` });
    }
  });

  it("finds and describes only what the caller can call", async () => {
    assert.deepEqual((await find("echo repeats")).sort(), ["legacy__echo", "modern__echo"]);
    const [hidden, unknown] = await Promise.all(
      ["hidden__echo", "nowhere__echo"].map((name) => call("gatehouse__describe_tool", JSON.stringify({ name }))),
    );
    assert.equal(hidden?.text.replaceAll("hidden", "nowhere"), unknown?.text);
    assert.equal(hidden?.body.result.isError, true);
  });

  it("follows changes of access and of selections per group immediately", async () => {
    const select = (tools: readonly string[] | null) =>
      service.api("PATCH", "/api/groups/bots/integrations?slug=modern", { tools });
    await select(["headers"]);
    assert.deepEqual(await find("echo repeats"), ["legacy__echo"]);
    assert.match((await callNested("modern__echo", "{}")).text, /Unknown tool: modern__echo/);
    await select(null);
    assert.deepEqual((await find("echo repeats")).sort(), ["legacy__echo", "modern__echo"]);
  });

  it("uses the names of the URL", async () => {
    const target = "/mcp/modern?tools=search";
    assert.deepEqual(await find("repeats", { target }), ["echo"]);
    assert.ok((await callNested("echo", '{"a":1}', "legacy", { target })).body.result.structuredContent.a);
    assert.match((await callNested("modern__echo", "{}", "legacy", { target })).text, /Unknown tool/);
  });

  it("lets clients call a tool by its name (F35)", async () => {
    assert.deepEqual((await call("modern__echo", '{"a":1}')).body.result.structuredContent, { a: 1 });
  });

  it("checks the headers of a modern caller against the outer call, and makes those of the nested one", async () => {
    const wrong = await callNested("modern__echo", "{}", "modern", { headers: { "mcp-name": "modern__echo" } });
    assert.deepEqual([wrong.status, wrong.body.error.code], [400, -32020]);
    const headers = { "mcp-param-region": "of the outer call", "mcp-param-other": "x" };
    const { body } = await callNested("modern__headers", '{"region":"eu"}', "modern", { headers });
    const seen = body.result.structuredContent;
    assert.deepEqual(
      [seen["mcp-name"], seen["mcp-param-region"], seen["mcp-param-other"]],
      ["headers", "eu", undefined],
    );
    const bare = (await callNested("modern__headers", "{}", "modern", { headers })).body.result.structuredContent;
    assert.deepEqual([bare["mcp-param-region"], bare["mcp-param-other"]], [undefined, undefined]);
  });

  for (const [tool, args, problem] of [
    ["find_tools", "{}", "query must be a string that is not empty"],
    ["find_tools", '{"query":" "}', "query must be a string that is not empty"],
    ["find_tools", `{"query":"${"x".repeat(1_001)}"}`, "query has more than 1000 characters"],
    ["find_tools", '{"query":"x","limit":0}', "limit must be an integer from 1 to 50"],
    ["find_tools", `{"query":"${"x".repeat(20_000)}"}`, "the arguments are too long"],
    ["describe_tool", '{"name":7}', "name must be a string"],
    ["call_tool", "{}", "name must be a string"],
    ["call_tool", '{"name":"modern__echo","arguments":"{}"}', "arguments must be an object"],
    ["call_tool", '{"name":"modern__echo","name":"hidden__echo"}', "an argument is given twice"],
    [
      "call_tool",
      '{"name":"modern__echo","text":"x"}',
      'unexpected member "text": put the arguments of the tool into "arguments"',
    ],
  ] as const) {
    it(`reports to the model: ${problem} (${tool} with ${args.slice(0, 40)})`, async () => {
      const { result } = (await call(`gatehouse__${tool}`, args)).body;
      assert.deepEqual(result, { content: [{ type: "text", text: problem }], isError: true });
      const logged = await lastLogged();
      assert.deepEqual([logged.tool, logged.outcome], [`gatehouse__${tool}`, "tool_error"]);
    });
  }

  it("forwards nested arguments of megabytes, and calls without arguments", async () => {
    const args = `{"text":"${"äöü🙂".repeat(200_000)}","big":9007199254740993}`;
    assert.ok((await callNested("modern__echo", args)).text.includes(`"structuredContent":${args}`));
    const { body } = await call("gatehouse__call_tool", '{"name":"modern__echo"}');
    assert.deepEqual(body.result.structuredContent, {});
  });

  it("counts searches against the caller's limit", async () => {
    const limit = (calls: number) => service.api("PATCH", "/api/settings", { user_calls_per_minute: calls });
    assert.equal((await limit(1)).status, 200);
    const statuses = [(await call("gatehouse__find_tools", '{"query":"x"}')).status];
    statuses.push((await call("gatehouse__find_tools", '{"query":"x"}')).status);
    await limit(0);
    assert.equal(statuses.at(-1), 429);
  });

  it("tells models in the handshake which servers have tools to find", async () => {
    const hello = await request("server/discover", "/mcp?tools=search", "modern");
    assert.match(
      hello.body.result.instructions,
      /^4 tools are available but not listed\. Find them with `gatehouse__find_tools`.*servers: legacy, modern\.$/m,
    );
    assert.equal((await request("server/discover", "/mcp", "modern")).body.result.instructions, undefined);
  });

  it("rejects other values of the parameter", async () => {
    const { status, body } = await request("tools/list", "/mcp?tools=serach");
    assert.equal(status, 400);
    assert.equal(body.error.message, "Invalid Request: the only value of tools in the URL is search");
  });

  it("reserves the slugs of the gateway's own names", async () => {
    for (const [name, slug] of [
      ["Gatehouse", "gatehouse-2"],
      ["Skills", "skills-2"],
    ] as const) {
      assert.equal((await service.api("POST", "/api/mcp-servers", { name })).body.data.slug, slug);
    }
  });
});

interface CallOptions {
  readonly target?: string;
  readonly headers?: Record<string, string>;
}

function utf8(latin1: string | undefined): string | undefined {
  return latin1 && Buffer.from(latin1, "latin1").toString("utf8");
}

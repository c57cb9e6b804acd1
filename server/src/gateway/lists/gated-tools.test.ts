import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { McpServer } from "@modelcontextprotocol/server";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { MCP_2026_07_28 } from "#test/gateway-kit";
import { eraHeaders } from "#test/mcp-messages";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

type Declared = Readonly<Record<string, Record<string, object>>>;

const GATES: readonly [tool: string, isOpen: (declared: Declared) => unknown][] = [
  ["ask", ({ elicitation }) => elicitation],
  ["ask-url", ({ elicitation }) => elicitation?.url],
  ["ask-roots", ({ roots }) => roots],
  ["sample-and-ask", ({ sampling, elicitation }) => sampling && elicitation],
  ["either", ({ sampling, roots }) => sampling ?? roots],
];
const UNGATED = ["echo", "fail", "progress"];

/** Like the example server of the MCP repository: it registers tools once it knows what the client can do. */
function registerGated(server: McpServer): void {
  server.server.oninitialized = () => {
    const declared = (server.server.getClientCapabilities() ?? {}) as Declared;
    for (const [tool, isOpen] of GATES) {
      if (!isOpen(declared)) continue;
      server.registerTool(tool, { description: tool }, () => ({ content: [{ type: "text", text: `${tool} ran` }] }));
    }
  };
}

const CALLERS: readonly [capabilities: Declared, listed: readonly string[]][] = [
  [{}, []],
  [{ elicitation: {} }, ["ask"]],
  [{ elicitation: { form: {}, url: {} } }, ["ask", "ask-url"]],
  [{ roots: {} }, ["ask-roots"]],
  [{ sampling: {}, elicitation: {} }, ["ask", "sample-and-ask"]],
  [
    { elicitation: { url: {} }, roots: {}, sampling: { tools: {} } },
    ["ask", "ask-roots", "ask-url", "either", "sample-and-ask"],
  ],
];

forEachApi("tools that need client capabilities", (api) => {
  let upstream: EchoUpstream;
  let modern: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: registerGated });
    const tool = (name: string) => ({ name, inputSchema: { type: "object" } });
    modern = await startRawUpstream({ eras: "modern" });
    modern.behave = ({ method, body, id }) => {
      if (method !== "tools/list") return "json";
      const { _meta: meta } = JSON.parse(body.toString()).params;
      const asks = meta["io.modelcontextprotocol/clientCapabilities"].elicitation !== undefined;
      const tools = [tool("plain"), ...(asks ? [tool("ask")] : [])];
      const result = { resultType: "complete", tools, ttlMs: 0, cacheScope: "private" };
      return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id: Number(id), result }) };
    };
    bot = await createMachineUser(api.service, "Bot");
    const slugs = [
      await createSyncedServer(api.service, "Gated", upstream.url),
      await createSyncedServer(api.service, "Modern", modern.url),
    ];
    await createGroup(api.service, "Callers", { slugs, emails: [bot.email] });
  });
  after(() => Promise.all([upstream.close(), modern.close()]));

  async function withClient(path: string, capabilities: Declared, use: (client: Client) => Promise<void>) {
    const client = new Client({ name: "real", version: "1.0.0" }, { capabilities });
    if (capabilities.roots) client.setRequestHandler("roots/list", () => ({ roots: [] }));
    const headers = { authorization: `Bearer ${bot.credential}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${api.service.url}${path}`), {
      requestInit: { headers },
    });
    await client.connect(transport);
    try {
      await use(client);
    } finally {
      await transport.terminateSession();
      await client.close();
    }
  }
  const namesFor = async (path: string, capabilities: Declared) => {
    let names: string[] = [];
    await withClient(path, capabilities, async (client) => {
      names = (await client.listTools()).tools.map(({ name }) => name).sort();
    });
    return names;
  };
  const post = (path: string, method: string, params: object, name?: string, capabilities: object = {}) => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": MCP_2026_07_28,
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    return api.service.http(path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bot.credential}`,
        "content-type": "application/json",
        ...eraHeaders("modern", method, name),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    });
  };

  it("are listed exactly for callers that declare the capabilities, at both URLs", async () => {
    for (const [capabilities, gated] of CALLERS) {
      const expected = [...UNGATED, ...gated].sort();
      assert.deepEqual(await namesFor("/mcp/gated", capabilities), expected, JSON.stringify(capabilities));
      const all = (await namesFor("/mcp", capabilities)).filter((name) => name.startsWith("gated__"));
      assert.deepEqual(
        all,
        expected.map((name) => `gated__${name}`),
      );
    }
  });

  it("are listed for modern callers by the capabilities of each request", async () => {
    const listed = async (capabilities: object) => {
      const { body } = await post("/mcp", "tools/list", {}, undefined, capabilities);
      return body.result.tools.map(({ name }: { name: string }) => name).filter((name: string) => /^modern/.test(name));
    };
    assert.deepEqual(await listed({}), ["modern__plain"]);
    assert.deepEqual(await listed({ elicitation: {} }), ["modern__plain", "modern__ask"]);
    assert.deepEqual(await listed({}), ["modern__plain"]);
  });

  it("run for callers with the capability, and are refused with a clear error otherwise", async () => {
    await withClient("/mcp/gated", { elicitation: {} }, async (client) => {
      const { content } = await client.callTool({ name: "ask", arguments: {} });
      assert.deepEqual(content, [{ type: "text", text: "ask ran" }]);
    });
    await withClient("/mcp", {}, async (client) => {
      await assert.rejects(
        client.callTool({ name: "gated__ask", arguments: {} }),
        /needs a client that declares elicitation in/,
      );
    });
    const { status, body } = await post("/mcp", "tools/call", { name: "modern__ask" }, "modern__ask");
    assert.deepEqual([status, body.error.code], [400, -32021]);
    assert.deepEqual(body.error.data, { requiredCapabilities: { elicitation: { form: {} } } });
  });

  it("show what they need in the API, and count for what a user can call", async () => {
    const { all_tools: tools } = (await api.call("GET", "/api/mcp-servers/gated")).body.data;
    const needs = Object.fromEntries(
      tools.map((tool: { slug: string; required_capabilities: string[] }) => [tool.slug, tool.required_capabilities]),
    );
    assert.deepEqual(needs.ask, ["elicitation"]);
    assert.deepEqual(needs["ask-url"], ["elicitation", "elicitation.url"]);
    assert.deepEqual(needs["sample-and-ask"], ["elicitation", "sampling"]);
    assert.equal(needs.either.length, 5, "one of several is enough, so a client with all of them gets it");
    const { body } = await api.call("GET", `/api/access?email=${encodeURIComponent(bot.email)}`);
    assert.equal(body.totalCount, 10);
    assert.equal(body.data.length, 10);
  });

  it("stay as they are when they cannot be read although the other tools can", async () => {
    const before = (await api.call("GET", "/api/mcp-servers/modern")).body.data.all_tools;
    const answer = modern.behave;
    modern.behave = (seen) =>
      /"elicitation"/.test(seen.body.toString()) ? { status: 500, body: "oops" } : answer(seen);
    await api.call("PATCH", "/api/mcp-servers?slug=modern", { tool_policy: "hold" });
    assert.equal((await api.call("POST", "/api/mcp-servers/modern/sync")).body.data.sync_error, null);
    const { all_tools: tools, tools_held_count: held } = (await api.call("GET", "/api/mcp-servers/modern")).body.data;
    assert.deepEqual([tools, held], [before, 0]);
  });
});

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { apiOf, type Gatehouse, startGatehouse } from "./kit/gatehouse.ts";
import { type RealServer, realServers } from "./kit/real-servers.ts";

const [alone, behind] = [await realServers(), await realServers()];
const SECRET_FREE_ENV = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };

describe("real MCP servers answer through the gateway as they do alone", () => {
  let gatehouse: Gatehouse;
  let authorization: string;
  before(async () => {
    const mcpServers = Object.fromEntries(behind.map(({ name, command, args, env }) => [name, { command, args, env }]));
    gatehouse = await startGatehouse({ localServers: { mcpServers } });
    const api = apiOf(gatehouse);
    const slugs = behind.map(({ name }) => name);
    for (const slug of slugs) {
      const { data } = await api("POST", `/api/mcp-servers/${slug}/sync`);
      assert.equal(data.sync_error, null, slug);
    }
    const { data, credentials } = await api("POST", "/api/users", { is_machine_user: true, name: "all" });
    await api("POST", "/api/groups", { name: "all" });
    await api("POST", "/api/groups/all/integrations", { slugs });
    await api("POST", "/api/groups/all/users", { emails: [data.email] });
    authorization = `Bearer ${credentials.client_id}:${credentials.secret}`;
  });
  after(() => gatehouse?.stop());

  it("are at least ten", () => assert.ok(alone.length >= 10));

  for (const server of alone) {
    it(`${server.name}: the same tools and ${server.calls.length} equal answers`, async () => {
      const { command, args, env } = server;
      const direct = await use(
        new StdioClientTransport({ command, args: [...args], env: { ...SECRET_FREE_ENV, ...env }, stderr: "ignore" }),
        server,
        "",
      );
      const url = new URL(`${gatehouse.url}/mcp`);
      const through = await use(
        new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
        server,
        `${server.name}__`,
      );
      assert.ok(direct.tools.length > 0);
      assert.deepEqual(through, direct);
    });
  }
});

/** The tools and answers, with nothing removed but the prefix of names. */
async function use(transport: Transport, { calls }: RealServer, prefix: string) {
  const client = new Client(
    { name: "gatehouse-conformance", version: "1.0.0" },
    { versionNegotiation: { mode: "legacy" } },
  );
  await client.connect(transport);
  try {
    const listed = await client.listTools();
    const tools = listed.tools
      .filter(({ name }) => name.startsWith(prefix))
      .map((tool) => ({ ...tool, name: tool.name.slice(prefix.length) }));
    const answers: unknown[] = [];
    for (const [name, args] of calls) {
      answers.push(
        await client
          .callTool({ name: `${prefix}${name}`, arguments: { ...args } })
          .catch((error: unknown) => String(error)),
      );
    }
    return { tools, answers: JSON.parse(JSON.stringify(answers).replaceAll(prefix === "" ? "\u0000" : prefix, "")) };
  } finally {
    await client.close();
  }
}

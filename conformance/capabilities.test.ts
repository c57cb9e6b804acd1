import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startEverythingServer } from "./kit/everything-server.ts";
import { type Installation, startInstallation } from "./kit/installation.ts";
import type { Upstream } from "./upstream/server.ts";

type Capabilities = Readonly<Record<string, Record<string, object>>>;

const CALLERS: readonly Capabilities[] = [
  {},
  { elicitation: {} },
  { elicitation: { form: {}, url: {} } },
  { sampling: {} },
  { roots: {} },
  { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
];

/** The example server lists some tools only for clients with certain capabilities, and links to unlisted resources. */
describe("the example server, directly and through the gateway", () => {
  let upstream: Upstream;
  let installation: Installation;
  before(async () => {
    upstream = await startEverythingServer("streamableHttp");
    installation = await startInstallation({ type: "http", url: upstream.url });
  });
  after(async () => {
    await installation?.stop();
    await upstream?.close();
  });

  async function withClient<Result>(
    url: string,
    capabilities: Capabilities,
    use: (client: Client) => Promise<Result>,
  ): Promise<Result> {
    const client = new Client({ name: "real", version: "1.0.0" }, { capabilities });
    if (capabilities.roots) client.setRequestHandler("roots/list", () => ({ roots: [] }));
    const headers = { authorization: installation.authorization };
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    await client.connect(transport);
    try {
      return await use(client);
    } finally {
      await transport.terminateSession();
      await client.close();
    }
  }
  const toolsOf = (url: string, capabilities: Capabilities) =>
    withClient(url, capabilities, async (client) => (await client.listTools()).tools.map(({ name }) => name).sort());

  for (const capabilities of CALLERS)
    it(`lists the same tools for a client with ${JSON.stringify(capabilities)}`, async () => {
      const { gatewayUrl, slug } = installation;
      const direct = await toolsOf(upstream.url, capabilities);
      assert.deepEqual(await toolsOf(`${gatewayUrl}/${slug}`, capabilities), direct);
      assert.deepEqual(
        await toolsOf(gatewayUrl, capabilities),
        direct.map((name) => `${slug}__${name}`),
      );
    });

  it("passes on its instructions", async () => {
    const direct = await withClient(upstream.url, {}, async (client) => client.getInstructions());
    const through = await withClient(installation.gatewayUrl, {}, async (client) => client.getInstructions());
    assert.ok(direct);
    const quoted = direct.trim().replace(/^/gm, "> ");
    assert.ok(through?.includes(quoted), through);
  });

  it("lets a client read the resources that a tool links to", async () => {
    const { gatewayUrl, slug } = installation;
    const linked = async (url: string, tool: string) =>
      withClient(url, {}, async (client) => {
        const { content } = await client.callTool({ name: tool, arguments: { count: 3 } });
        const uris = (content as { type: string; uri?: string }[]).flatMap(({ type, uri }) =>
          type === "resource_link" && uri !== undefined ? [uri] : [],
        );
        assert.equal(uris.length, 3);
        const read = await Promise.all(uris.map((uri) => client.readResource({ uri })));
        return read.map(({ contents }) => contents.map(({ uri, mimeType }) => [uri, mimeType]));
      });
    const direct = await linked(upstream.url, "get-resource-links");
    assert.deepEqual(await linked(gatewayUrl, `${slug}__get-resource-links`), direct);
    assert.deepEqual(await linked(`${gatewayUrl}/${slug}`, "get-resource-links"), direct);
  });

  it("lets a client read a resource that exists only in its session", async () => {
    const { gatewayUrl, slug } = installation;
    await withClient(gatewayUrl, {}, async (client) => {
      const { content } = await client.callTool({
        name: `${slug}__gzip-file-as-resource`,
        arguments: { name: "hello.txt.gz", data: "data:text/plain;base64,aGVsbG8=", outputType: "resourceLink" },
      });
      const [link] = content as { type: string; uri: string }[];
      assert.equal(link?.type, "resource_link", JSON.stringify(content));
      const { contents } = await client.readResource({ uri: link?.uri ?? "" });
      assert.equal(contents[0]?.uri, link?.uri);
    });
  });
});

import { type GatewayTarget, type Step, shellUrl } from "./steps.ts";

const ENVIRONMENT: Step = {
  text: "Set the access key of a machine user.",
  what: "command",
  code: "export GATEHOUSE_ACCESS_KEY='<key>:<secret>'",
};

export function curl({ url }: GatewayTarget): readonly Step[] {
  const call = (body: object) =>
    [
      `curl -s ${shellUrl(url)}`,
      `-H "Authorization: Bearer $GATEHOUSE_ACCESS_KEY"`,
      "-H 'Content-Type: application/json'",
      "-H 'Accept: application/json, text/event-stream'",
      `-d '${JSON.stringify(body)}'`,
    ].join(" \\\n  ");
  const params = { name: "<server>__<tool>", arguments: {} };
  return [
    ENVIRONMENT,
    { text: "List the tools.", what: "command", code: call({ jsonrpc: "2.0", id: 1, method: "tools/list" }) },
    { text: "Call a tool.", what: "command", code: call({ jsonrpc: "2.0", id: 2, method: "tools/call", params }) },
  ];
}

export function typescriptSdk({ url }: GatewayTarget): readonly Step[] {
  return [
    ENVIRONMENT,
    { text: "Install the official SDK.", what: "command", code: "npm install @modelcontextprotocol/client" },
    {
      text: "List the tools.",
      what: "code",
      code: `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const client = new Client({ name: "my-agent", version: "1.0.0" });
await client.connect(
  new StreamableHTTPClientTransport(new URL("${url}"), {
    requestInit: { headers: { Authorization: \`Bearer \${process.env.GATEHOUSE_ACCESS_KEY}\` } },
  }),
);
const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name));
await client.close();`,
    },
  ];
}

export function pythonSdk({ url }: GatewayTarget): readonly Step[] {
  return [
    ENVIRONMENT,
    { text: "Install the official SDK.", what: "command", code: "pip install mcp" },
    {
      text: "List the tools.",
      what: "code",
      code: `import asyncio, os
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

async def main():
    headers = {"Authorization": f"Bearer {os.environ['GATEHOUSE_ACCESS_KEY']}"}
    async with streamablehttp_client("${url}", headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            for tool in (await session.list_tools()).tools:
                print(tool.name)

asyncio.run(main())`,
    },
  ];
}

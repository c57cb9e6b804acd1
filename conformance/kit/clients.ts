/** Real clients, used as their documentation describes: the tools that they list, and the result of a call. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createMCPClient } from "@ai-sdk/mcp";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

export interface Visit {
  readonly url: string;
  readonly authorization: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, string | number>>;
  /** A folder for the client's files. */
  readonly directory: string;
}

export interface Outcome {
  readonly tools: readonly string[];
  /** The result of the call, in the client's format. */
  readonly result: unknown;
}

export interface RealClient {
  readonly name: string;
  readonly era: "legacy" | "modern";
  visit(visit: Visit): Promise<Outcome>;
}

const INFO = { name: "gatehouse-conformance", version: "1.0.0" };

export const CLIENTS: readonly RealClient[] = [
  { name: "SDK 2", era: "modern", visit: (visit) => visitBySdk2(visit, "auto") },
  { name: "SDK 2", era: "legacy", visit: (visit) => visitBySdk2(visit, "legacy") },
  { name: "SDK 1", era: "legacy", visit: visitBySdk1 },
  { name: "Inspector", era: "modern", visit: (visit) => visitByInspector(visit, "modern") },
  { name: "Inspector", era: "legacy", visit: (visit) => visitByInspector(visit, "legacy") },
  { name: "mcp-remote", era: "legacy", visit: visitByMcpRemote },
  { name: "AI SDK", era: "modern", visit: visitByAiSdk },
  { name: "LangChain", era: "legacy", visit: visitByLangChain },
];

async function visitBySdk2({ url, authorization, tool, args }: Visit, mode: "auto" | "legacy"): Promise<Outcome> {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }),
  );
  return listAndCall(client, tool, args);
}

async function visitBySdk1({ url, authorization, tool, args }: Visit): Promise<Outcome> {
  const client = new Client1(INFO);
  await client.connect(new Transport1(new URL(url), { requestInit: { headers: { authorization } } }));
  return listAndCall(client, tool, args);
}

/** Subscribes to a resource, triggers an update, and returns the URI of the notification. */
export async function receiveUpdate({ url, authorization, tool }: Visit, uri: string): Promise<string> {
  const client = new Client1(INFO);
  const received = Promise.withResolvers<string>();
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => received.resolve(params.uri));
  await client.connect(new Transport1(new URL(url), { requestInit: { headers: { authorization } } }));
  try {
    await client.subscribeResource({ uri });
    await client.callTool({ name: tool, arguments: {} });
    return await received.promise;
  } finally {
    await client.close();
  }
}

/** For desktop clients that support only stdio. */
async function visitByMcpRemote({ url, authorization, tool, args, directory }: Visit): Promise<Outcome> {
  const client = new Client(INFO);
  const command = [programOf("mcp-remote"), url, "--allow-http", "--transport", "http-only"];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...command, "--header", `Authorization:${authorization}`],
    env: { PATH: process.env.PATH ?? "", HOME: directory, MCP_REMOTE_CONFIG_DIR: directory },
    stderr: "ignore",
  });
  await client.connect(transport);
  return listAndCall(client, tool, args);
}

/** The same for both generations of the SDK. */
interface SdkClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

async function listAndCall(client: SdkClient, name: string, args: Visit["args"]): Promise<Outcome> {
  try {
    const { tools } = await client.listTools();
    return { tools: tools.map((tool) => tool.name), result: await client.callTool({ name, arguments: { ...args } }) };
  } finally {
    await client.close();
  }
}

async function visitByInspector(visit: Visit, era: "legacy" | "modern"): Promise<Outcome> {
  const run = async (...args: string[]) => {
    const header = ["--header", `Authorization: ${visit.authorization}`];
    const command = [programOf("mcp-inspector"), "--cli", visit.url, "--transport", "http", ...header];
    const options = ["--protocol-era", era, "--format", "json", "--stored-auth-only"];
    const env = { PATH: process.env.PATH, HOME: visit.directory };
    const { stdout } = await promisify(execFile)(process.execPath, [...command, ...options, ...args], { env });
    return JSON.parse(stdout);
  };
  const { tools } = (await run("--method", "tools/list")).result;
  const args = Object.entries(visit.args).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
  const result = await run("--method", "tools/call", "--tool-name", visit.tool, ...args);
  return { tools: tools.map((tool: { name: string }) => tool.name), result };
}

async function visitByAiSdk({ url, authorization, tool, args }: Visit): Promise<Outcome> {
  const client = await createMCPClient({ transport: { type: "http", url, headers: { authorization } } });
  try {
    const tools = await client.tools();
    const result = await tools[tool]?.execute?.(args, { toolCallId: "1", messages: [], context: {} });
    return { tools: Object.keys(tools), result };
  } finally {
    await client.close();
  }
}

async function visitByLangChain({ url, authorization, tool, args }: Visit): Promise<Outcome> {
  const client = new MultiServerMCPClient({ gatehouse: { transport: "http", url, headers: { authorization } } });
  try {
    const tools = await client.getTools();
    const result = await tools.find(({ name }) => name === tool)?.invoke(args);
    return { tools: tools.map(({ name }) => name), result };
  } finally {
    await client.close();
  }
}

function programOf(name: string): string {
  return fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
}

/** A client that uses everything a server offers, as the suite's client scenarios expect: directly, or behind the gateway. */
import { Client, StreamableHTTPClientTransport, type Tool } from "@modelcontextprotocol/client";
import type { Task } from "./connect-and-call.ts";
import { apiOf, createMachineUser, type Gatehouse } from "./gatehouse.ts";
import type { Revision } from "./suite.ts";

export interface Used {
  /** Errors of single requests, which some scenarios provoke. */
  readonly errors: readonly string[];
}

const INFO = { name: "gatehouse-conformance", version: "1.0.0" };

export function useDirectly(revision: Revision) {
  return ({ serverUrl, context }: Task) => useEverything(revision, { url: serverUrl, headers: {} }, context);
}

/** Adds the scenario's server to the installation, and uses it at `/mcp/{slug}`. */
export function useThroughGateway(revision: Revision, gatehouse: Gatehouse) {
  const api = apiOf(gatehouse);
  return async ({ scenario, serverUrl, context }: Task) => {
    const name = `${scenario} ${revision}`;
    const mcp_proxy = JSON.stringify({ type: "http", url: serverUrl });
    const { slug } = (await api("POST", "/api/mcp-servers", { name, mcp_proxy })).data;
    await api("POST", `/api/mcp-servers/${slug}/sync`);
    const { authorization } = await createMachineUser(api, slug, slug);
    try {
      return await useEverything(
        revision,
        { url: `${gatehouse.url}/mcp/${slug}`, headers: { authorization } },
        context,
      );
    } finally {
      await api("DELETE", `/api/mcp-servers?slug=${slug}`);
    }
  };
}

async function useEverything(
  revision: Revision,
  { url, headers }: { readonly url: string; readonly headers: Record<string, string> },
  { toolCalls }: Task["context"],
): Promise<Used> {
  const client = new Client(INFO, {
    capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
    versionNegotiation: { mode: revision === "2025-11-25" ? "legacy" : "auto" },
  });
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: {} }));
  const errors: string[] = [];
  const attempt = async <Value>(what: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await what();
    } catch (error) {
      errors.push(String(error));
      return undefined;
    }
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const calls = toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, tools) }));
    // Concurrently, because a scenario checks that their states are not mixed up.
    await Promise.all(
      calls.map((call) => attempt(() => client.callTool({ name: call.name, arguments: { ...call.arguments } }))),
    );
    const resources = await attempt(() => client.listResources());
    for (const { uri } of resources?.resources ?? []) await attempt(() => client.readResource({ uri }));
    const prompts = await attempt(() => client.listPrompts());
    for (const { name } of prompts?.prompts ?? []) await attempt(() => client.getPrompt({ name }));
  } finally {
    // The suite waits until all connections to its server are closed, and a session keeps a stream open.
    await attempt(() => transport.terminateSession());
    await client.close();
  }
  return { errors };
}

function argumentsFor(tool: Tool, tools: readonly Tool[]): Record<string, unknown> {
  const properties: Readonly<Record<string, unknown>> = tool.inputSchema.properties ?? {};
  const focal = tools.find((each) => each.name !== tool.name);
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      name === "schema" && focal ? focal.inputSchema : sampleOf(schema as { readonly type?: string }), // JSON Schema
    ]),
  );
}

function sampleOf({ type }: { readonly type?: string }): unknown {
  if (type === "number" || type === "integer") return 3;
  if (type === "boolean") return true;
  if (type === "array") return [];
  return type === "object" ? {} : "sample";
}

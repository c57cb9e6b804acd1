/** A Gatehouse with one MCP server in it and one machine user who may use it. */
import { apiOf, createMachineUser, type Gatehouse, startGatehouse } from "./gatehouse.ts";

export interface Installation {
  readonly gatewayUrl: string;
  readonly slug: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
  stop(): Promise<void>;
}

/** Where the one MCP server is found: at an address, or as a program that the installation starts itself. */
export type Source =
  | { readonly type: "http" | "sse"; readonly url: string }
  | { readonly command: string; readonly args: readonly string[] };

const NAME = "suite";

export async function startInstallation(source: Source): Promise<Installation> {
  const gatehouse = await startGatehouse(
    "command" in source ? { localServers: { mcpServers: { [NAME]: source } } } : {},
  );
  return { gatewayUrl: `${gatehouse.url}/mcp`, ...(await furnish(gatehouse, source)), stop: gatehouse.stop };
}

async function furnish(gatehouse: Gatehouse, source: Source) {
  const api = apiOf(gatehouse);
  if (!("command" in source)) await api("POST", "/api/mcp-servers", { name: NAME, mcp_proxy: JSON.stringify(source) });
  const synced = (await api("POST", `/api/mcp-servers/${NAME}/sync`)).data;
  if (synced.sync_error !== null) throw new Error(`the upstream was not read: ${synced.sync_error}`);
  const { authorization } = await createMachineUser(api, NAME, NAME);
  return { slug: NAME, authorization };
}

/** An installation with one MCP server and one machine user with access to it. */
import { apiOf, createMachineUser, type Gatehouse, startGatehouse } from "./gatehouse.ts";

export interface Installation {
  readonly gatewayUrl: string;
  readonly slug: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
  stop(): Promise<void>;
}

/** The MCP server: a URL, or a command that the installation starts. */
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
  if (synced.sync_error !== null) throw new Error(`the sync failed: ${synced.sync_error}`);
  const { authorization } = await createMachineUser(api, NAME, NAME);
  return { slug: NAME, authorization };
}

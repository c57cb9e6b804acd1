import type { Api, Schemas } from "../../api/client.ts";

export type AuthType = Schemas["McpServerDetail"]["auth_type"];

/** What the list shows of a server. */
export type Server = Pick<
  Schemas["McpServerDetail"],
  "slug" | "name" | "description" | "status" | "logo_url" | "auth_type" | "tools_count" | "is_local_mcp" | "connection"
>;

export const AUTH_WORDS: Readonly<Record<AuthType, string>> = {
  none: "None",
  "proxy-oauth": "OAuth sign-in",
  "proxy-api-key": "API key",
};

export interface ServerFilters {
  readonly q?: string | undefined;
  readonly status?: "active" | "draft" | undefined;
  /** Only what is in it, drafts included. */
  readonly group?: string | undefined;
}

export const serversKey = ["mcp-servers"] as const;

export async function fetchServers(api: Api, { q, status, group }: ServerFilters, cursor: number, signal: AbortSignal) {
  const query = { search: q, status, group, cursor, limit: 100, includeTotal: true };
  const page = await api.listMcpServers({ query, signal });
  return { ...page, data: page.data.map(asServer) };
}

/** Without `fields` the API leaves nothing out; what the type calls optional is only so when somebody selects. */
function asServer(selection: Schemas["McpServerSelection"]): Server {
  const { connection } = selection;
  return {
    slug: selection.slug ?? "",
    name: selection.name ?? "",
    description: selection.description ?? "",
    status: selection.status ?? "draft",
    logo_url: selection.logo_url ?? "",
    auth_type: selection.auth_type ?? "none",
    tools_count: selection.tools_count ?? 0,
    is_local_mcp: selection.is_local_mcp ?? false,
    connection: connection ? { url: connection.url ?? "", transport: connection.transport ?? "both" } : null,
  };
}

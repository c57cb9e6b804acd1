import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type Detail = Schemas["McpServerDetail"];
export type AuthType = Detail["auth_type"];

/** How a server stands. */
export type Standing = Pick<
  Detail,
  "status" | "needs_setup" | "connection" | "sync_error" | "tools_synced_at" | "tools_changed_count"
>;

/** What the list shows of a server. */
export type Server = Standing &
  Pick<
    Detail,
    | "slug"
    | "name"
    | "description"
    | "logo_url"
    | "auth_type"
    | "tools_count"
    | "is_local_mcp"
    | "groups"
    | "connections"
  >;

export const AUTH_WORDS: Readonly<Record<AuthType, string>> = {
  none: "None",
  "proxy-oauth": "OAuth sign-in",
  "proxy-api-key": "API key",
};

export interface ServerFilters {
  readonly q?: string | undefined;
  readonly status?: "active" | "draft" | undefined;
  readonly auth?: AuthType | undefined;
  readonly attention?: "yes" | undefined;
  /** Only what is in it, drafts included. */
  readonly group?: string | undefined;
}

export const serversKey = ["mcp-servers"] as const;

export function serverQuery(api: Api, slug: string) {
  return queryOptions({
    queryKey: [...serversKey, "one", slug],
    queryFn: ({ signal }) => api.getMcpServer({ path: { slug }, signal }),
  });
}

export async function fetchServers(api: Api, filters: ServerFilters, cursor: number, signal: AbortSignal) {
  const { q, status, auth, attention, group } = filters;
  const query = { search: q, status, auth_type: auth, group, cursor, limit: 100, includeTotal: true };
  const needs = attention === undefined ? {} : { needs_attention: true };
  const page = await api.listMcpServers({ query: { ...query, ...needs, include_details: true }, signal });
  return { ...page, data: page.data.map(asServer) };
}

function asServer(selection: Schemas["McpServerSelection"]): Server {
  // Asked for without `fields` and with details, the API leaves nothing out.
  return selection as Server;
}

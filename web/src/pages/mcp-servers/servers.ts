import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type Detail = Schemas["McpServerDetail"];
export type AuthType = Detail["auth_type"];

/** The fields that status and health are derived from. */
export type ServerState = Pick<
  Detail,
  "status" | "needs_setup" | "connection" | "tools_synced_at" | "tools_changed_count" | "health"
>;

/** A row of the server list. */
export type Server = ServerState &
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
    | "users_count"
    | "recent_calls"
    | "has_shared_credential"
  >;

export const AUTH_WORDS: Readonly<Record<AuthType, string>> = {
  none: "None",
  "proxy-oauth": "OAuth per user",
  "proxy-api-key": "API key per user",
  "exchanged-token": "Exchanged token",
};

/** Whether users connect their own accounts. */
export function usersConnect({ auth_type: type }: { readonly auth_type: AuthType }): boolean {
  return type === "proxy-oauth" || type === "proxy-api-key";
}

export interface ServerFilters {
  readonly q?: string | undefined;
  readonly status?: "active" | "draft" | undefined;
  readonly auth?: AuthType | undefined;
  readonly attention?: "yes" | undefined;
  /** Only servers in this group, including drafts. */
  readonly group?: string | undefined;
  readonly sort?: "name" | "tools" | "synced" | undefined;
  readonly order?: "desc" | undefined;
}

export const serversKey = ["mcp-servers"] as const;

export function serverQuery(api: Api, slug: string) {
  return queryOptions({
    queryKey: [...serversKey, "one", slug],
    queryFn: ({ signal }) => api.getMcpServer({ path: { slug }, signal }),
  });
}

function queryOf({ q, status, auth, attention, group, sort, order }: ServerFilters) {
  const needs = attention === undefined ? {} : { needs_attention: true };
  return { search: q, status, auth_type: auth, group, sort, order, ...needs };
}

export async function fetchServers(api: Api, filters: ServerFilters, cursor: number, signal: AbortSignal) {
  const query = { ...queryOf(filters), cursor, limit: 100, includeTotal: true, include_details: true };
  const page = await api.listMcpServers({ query, signal });
  return { ...page, data: page.data.map(asServer) };
}

/** All servers that match the filters, by slug. */
export async function fetchServerNames(api: Api, filters: ServerFilters) {
  const names = new Map<string, Pick<Server, "slug" | "name" | "groups">>();
  for (let cursor: number | null = 0; cursor !== null; ) {
    const query = { ...queryOf(filters), fields: "slug,name,groups", cursor, limit: 200 };
    const page: Awaited<ReturnType<Api["listMcpServers"]>> = await api.listMcpServers({ query });
    for (const { slug = "", name = "", groups = [] } of page.data) names.set(slug, { slug, name, groups });
    cursor = page.pagination.nextCursor;
  }
  return names;
}

export function countedServers(total: number): string {
  return total === 1 ? "1 server" : `${total.toLocaleString("en")} servers`;
}

function asServer(selection: Schemas["McpServerSelection"]): Server {
  // Without `fields` and with `include_details`, the API returns every field.
  return selection as Server;
}

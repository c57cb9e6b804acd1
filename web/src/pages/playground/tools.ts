import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import type { Gateway, GatewayTool } from "../../api/gateway.ts";

export type MyServer = Schemas["UserMcpServer"];

const MAX_SERVERS = 200;

export const toolsKey = ["playground", "tools"] as const;

export function toolsQuery(gateway: Gateway) {
  return queryOptions({
    queryKey: toolsKey,
    queryFn: ({ signal }) => gateway.listTools(signal),
    staleTime: 30_000,
  });
}

/** The user's servers by slug, for names and logos. */
export function serversQuery(api: Api) {
  return queryOptions({
    queryKey: ["me", "mcp-servers", "by-slug"],
    queryFn: async ({ signal }) => {
      const { data } = await api.listMyMcpServers({ query: { limit: MAX_SERVERS }, signal });
      return new Map<string, MyServer>(data.map((server) => [server.slug, server]));
    },
  });
}

export function matching(tools: readonly GatewayTool[], q: string | undefined): readonly GatewayTool[] {
  const wanted = (q ?? "").toLowerCase().split(/\s+/);
  return tools.filter(({ name, title = "", description = "" }) => {
    const text = `${name} ${title} ${description}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type Toolkit = Schemas["Toolkit"];
export type Entry = Toolkit["tools"][number];
export type BrokenReason = Toolkit["broken_tools"][number]["reason"];

export const toolkitsKey = ["toolkits"] as const;

export interface ToolkitFilters {
  readonly q?: string | undefined;
  readonly status?: Toolkit["status"] | undefined;
}

export async function fetchToolkits(api: Api, { q, status }: ToolkitFilters, cursor: number, signal: AbortSignal) {
  const query = { search: q, status, cursor, limit: 100, includeTotal: true };
  const page = await api.listToolkits({ query, signal });
  // Without `fields`, the API returns every field.
  return { ...page, data: page.data as Toolkit[] };
}

export function toolkitQuery(api: Api, slug: string) {
  return queryOptions({
    queryKey: [...toolkitsKey, "one", slug],
    queryFn: async ({ signal }): Promise<Toolkit> => (await api.getToolkit({ path: { slug }, signal })).data,
  });
}

export const BROKEN: Readonly<Record<BrokenReason, string>> = {
  server_missing: "The server no longer exists",
  server_draft: "The server is a draft",
  tool_missing: "The server has no such tool",
  tool_disabled: "The tool is disabled",
};

type HiddenReason = Schemas["ToolkitPreview"]["hidden"][number]["reason"];

/** Why a user does not get a tool of a toolkit. */
export const HIDDEN: Readonly<Record<HiddenReason, string>> = {
  toolkit_not_granted: "None of the user's groups has the toolkit",
  user_disabled: "The user is disabled",
  server_missing: "The server no longer exists",
  no_group: "None of the user's groups has the server",
  server_draft: "The server is a draft",
  no_upstream: "The server has no URL yet",
  not_synced: "The server has not been synced yet",
  tool_missing: "The server has no such tool",
  not_selected: "The user's groups do not grant the tool",
  not_in_toolkit: "Another toolkit with least privilege does not have the tool",
};

export const ALL_TOOLS = "*";

/** "*" takes no changes, not even empty ones. */
export function bodyOf({ server, tool, ...changes }: Entry) {
  return tool === ALL_TOOLS ? { server, tool } : { server, tool, ...changes };
}

export function emptyEntry(server: string, tool: string): Entry {
  const unchanged = { alias: null, title: null, description: null };
  return { server, tool, ...unchanged, arguments: { fixed: {}, defaults: {}, hidden: [] } };
}

/** How an entry differs from its tool, in a few words. */
export function changesOf({ title, description, arguments: { fixed, defaults, hidden } }: Entry): readonly string[] {
  const counted = (count: number, what: string) => (count === 0 ? [] : [`${count} ${what}`]);
  return [
    ...(title === null ? [] : ["title"]),
    ...(description === null ? [] : ["description"]),
    ...counted(Object.keys(fixed).length, "fixed"),
    ...counted(Object.keys(defaults).length, "with default"),
    ...counted(hidden.length, "hidden"),
  ];
}

import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type Command = Schemas["Command"];
export type CommandArgument = Schemas["CommandArgument"];

export const commandsKey = ["commands"] as const;

export interface CommandFilters {
  readonly q?: string | undefined;
  readonly status?: Command["status"] | undefined;
}

export async function fetchCommands(api: Api, { q, status }: CommandFilters, cursor: number, signal: AbortSignal) {
  const query = { search: q, status, cursor, limit: 100, includeTotal: true };
  const page = await api.listCommands({ query, signal });
  // Without `fields`, the API returns every field.
  return { ...page, data: page.data as Command[] };
}

export function commandQuery(api: Api, slug: string) {
  return queryOptions({
    queryKey: [...commandsKey, "one", slug],
    queryFn: async ({ signal }) => (await api.getCommand({ path: { slug }, signal })).data,
  });
}

/** The fields of the preview: the declared arguments, or those that follow from the unsaved content. */
export function previewFields(content: string, declared: readonly CommandArgument[]): string[] {
  const named = [...content.matchAll(/(?<!\\)\{\{\s*([a-z][a-z0-9_]*)\s*\}\}/g)].map(([, name = ""]) => name);
  const names = [...new Set([...declared.map(({ name }) => name), ...named])].filter((name) => name !== "");
  if (names.length > 0) return names;
  const positions = [...content.matchAll(/(?<!\$)\$([1-9])/g)].map(([, digit]) => Number(digit));
  if (positions.length > 0) return Array.from({ length: Math.max(...positions) }, (_, at) => `arg${at + 1}`);
  return content.includes("$ARGUMENTS") ? ["arguments"] : [];
}

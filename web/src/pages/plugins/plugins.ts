import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";

export type Plugin = Schemas["Plugin"];
export type PluginAgent = Plugin["agents"][number];
export type PluginRelease = Schemas["PluginRelease"];
export type PluginTarget = Plugin["targets"][number];

export const pluginsKey = ["plugins"] as const;

export const TARGETS: readonly { readonly value: PluginTarget; readonly label: string }[] = [
  { value: "claude", label: "Claude Code" },
  { value: "cursor", label: "Cursor" },
  { value: "codex", label: "Codex" },
];

export interface PluginFilters {
  readonly q?: string | undefined;
  readonly status?: Plugin["status"] | undefined;
}

export async function fetchPlugins(api: Api, { q, status }: PluginFilters, cursor: number, signal: AbortSignal) {
  const query = { search: q, status, cursor, limit: 100, includeTotal: true };
  const page = await api.listPlugins({ query, signal });
  // Without `fields`, the API returns every field.
  return { ...page, data: page.data as Plugin[] };
}

export function pluginQuery(api: Api, slug: string) {
  return queryOptions({
    queryKey: [...pluginsKey, "one", slug],
    // Without `fields`, the API returns every field.
    queryFn: async ({ signal }) => (await api.getPlugin({ path: { slug }, signal })).data as Plugin,
  });
}

/** Of the next release, or of a release compared with the one before it. */
export function changesQuery(api: Api, slug: string, version?: string) {
  return queryOptions({
    queryKey: [...pluginsKey, "changes", slug, version ?? "next"],
    queryFn: async ({ signal }) => (await api.listPluginChanges({ path: { slug }, query: { version }, signal })).data,
  });
}

export type Bump = "patch" | "minor" | "major";

/** The version that publishing makes, as the API computes it. */
export function nextVersion(latest: string | null, bump: Bump): string {
  if (latest === null) return "1.0.0";
  const [core = "", prerelease] = latest.split(/-(.*)/s);
  const [major = 0, minor = 0, patch = 0] = core.split(".").map(Number);
  const isBefore = prerelease !== undefined;
  if (bump === "major") return `${isBefore && minor === 0 && patch === 0 ? major : major + 1}.0.0`;
  if (bump === "minor") return `${major}.${isBefore && patch === 0 ? minor : minor + 1}.0`;
  return `${major}.${minor}.${isBefore ? patch : patch + 1}`;
}

import type { z } from "zod";
import { isoTime } from "#api/kit/answers";
import type { ApiContext } from "#api/kit/api-context";
import { changedPlugins } from "#plugins/release/draft";
import { pluginLinks } from "#records/groups";
import { latestReleases } from "#records/plugins";
import type { MainDb } from "#storage/database";
import type { PluginReleaseRow, PluginRow } from "#storage/plugin-tables";
import type { Plugin, PluginRelease, PublishedRelease } from "./schema.ts";

export type PresentedPlugin = z.input<typeof Plugin>;
type Settings = Pick<ApiContext, "orgName" | "gatewayUrl">;

export async function presentPlugins(
  db: MainDb,
  rows: readonly PluginRow[],
  settings: Settings,
): Promise<PresentedPlugin[]> {
  const ids = rows.map(({ id }) => id);
  const groups = await pluginLinks.groupNamesOf(db, ids);
  const latest = await latestReleases(db, ids);
  const changed = await changedPlugins(db, rows, latest, settings);
  return rows.map((row) => ({
    ...{ id: row.id, slug: row.slug, name: row.name, description: row.description, ...row.definition },
    ...{ status: row.status, groups: [...(groups.get(row.id) ?? [])] },
    ...{ latest_version: latest.get(row.id)?.version ?? null, releases_count: row.releases },
    has_unpublished_changes: changed.has(row.id),
    ...{ created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) },
  }));
}

export async function presentPlugin(db: MainDb, row: PluginRow, settings: Settings): Promise<PresentedPlugin> {
  const [plugin] = await presentPlugins(db, [row], settings);
  if (!plugin) throw new Error(`The plugin ${row.slug} could not be presented`);
  return plugin;
}

export function presentPublished(release: PluginReleaseRow): z.input<typeof PublishedRelease> {
  const { version, digest, files_count, published_at: at } = release;
  return { version, digest, files_count, published_at: isoTime(at) };
}

export function presentRelease(row: PluginRow, release: PluginReleaseRow): z.input<typeof PluginRelease> {
  return {
    ...presentPublished(release),
    ...{ notes: release.notes, size_bytes: release.size, latest: release.number === row.releases },
    published_by: release.published_by,
  };
}

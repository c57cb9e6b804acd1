/** The release that publishing a plugin now would make. */
import { filesOfSkills } from "#records/skills";
import type { MainDb } from "#storage/database";
import type { PluginReleaseRow, PluginRow } from "#storage/plugin-tables";
import type { StoredFile } from "./content.ts";
import { type ReleaseTree, releaseTree } from "./tree.ts";

export interface ReleaseSettings {
  readonly orgName: string;
  readonly gatewayUrl: string;
}

/** Undefined if a skill is gone. */
export async function draftTree(
  db: MainDb,
  plugin: PluginRow,
  version: string,
  settings: ReleaseSettings,
): Promise<ReleaseTree | undefined> {
  return treeFrom(await filesOfSkills(db, plugin.definition.skills), plugin, version, settings);
}

function treeFrom(
  known: ReadonlyMap<string, readonly StoredFile[]>,
  plugin: PluginRow,
  version: string,
  { orgName, gatewayUrl }: ReleaseSettings,
): ReleaseTree | undefined {
  const skills = plugin.definition.skills.flatMap((slug) => {
    const files = known.get(slug);
    return files ? [{ slug, files }] : [];
  });
  if (skills.length < plugin.definition.skills.length) return undefined;
  return releaseTree({ plugin, version, orgName, gatewayUrl: gatewayUrl.replace(/\/+$/, ""), skills });
}

/** The IDs of the plugins whose next release would differ from their latest one, or which have none. */
export async function changedPlugins(
  db: MainDb,
  plugins: readonly PluginRow[],
  latest: ReadonlyMap<string, PluginReleaseRow>,
  settings: ReleaseSettings,
): Promise<Set<string>> {
  const released = plugins.filter(({ id }) => latest.has(id));
  const known = await filesOfSkills(db, [...new Set(released.flatMap(({ definition }) => definition.skills))]);
  const changed = plugins.filter((plugin) => {
    const release = latest.get(plugin.id);
    // With the same version, equal content gives an equal digest.
    return !release || treeFrom(known, plugin, release.version, settings)?.digest !== release.digest;
  });
  return new Set(changed.map(({ id }) => id));
}

/** The release that publishing a plugin now would make. */
import { type CommandForm, findCommandsBySlug, formOf } from "#records/commands";
import { filesOfSkills } from "#records/skills";
import type { MainDb } from "#storage/database";
import type { PluginReleaseRow, PluginRow } from "#storage/plugin-tables";
import type { StoredFile } from "./content.ts";
import { type ReleaseTree, releaseTree } from "./tree.ts";

export interface ReleaseSettings {
  readonly orgName: string;
  readonly gatewayUrl: string;
}

/** What plugins refer to, by slug. */
interface References {
  readonly skills: ReadonlyMap<string, readonly StoredFile[]>;
  readonly commands: ReadonlyMap<string, CommandForm>;
}

async function readReferences(db: MainDb, plugins: readonly PluginRow[]): Promise<References> {
  const slugsOf = (kind: "skills" | "commands") => [...new Set(plugins.flatMap(({ definition }) => definition[kind]))];
  const commands = await findCommandsBySlug(db, slugsOf("commands"));
  return {
    skills: await filesOfSkills(db, slugsOf("skills")),
    commands: new Map(commands.map((row) => [row.slug, formOf(row)])),
  };
}

/** Undefined if a skill or a command is gone. */
export async function draftTree(
  db: MainDb,
  plugin: PluginRow,
  version: string,
  settings: ReleaseSettings,
): Promise<ReleaseTree | undefined> {
  return treeFrom(await readReferences(db, [plugin]), plugin, version, settings);
}

function treeFrom(
  known: References,
  plugin: PluginRow,
  version: string,
  { orgName, gatewayUrl }: ReleaseSettings,
): ReleaseTree | undefined {
  const skills = plugin.definition.skills.flatMap((slug) => {
    const files = known.skills.get(slug);
    return files ? [{ slug, files }] : [];
  });
  const commands = plugin.definition.commands.flatMap((slug) => known.commands.get(slug) ?? []);
  if (skills.length < plugin.definition.skills.length) return undefined;
  if (commands.length < plugin.definition.commands.length) return undefined;
  return releaseTree({ plugin, version, orgName, gatewayUrl: gatewayUrl.replace(/\/+$/, ""), skills, commands });
}

/** The IDs of the plugins whose next release would differ from their latest one, or which have none. */
export async function changedPlugins(
  db: MainDb,
  plugins: readonly PluginRow[],
  latest: ReadonlyMap<string, PluginReleaseRow>,
  settings: ReleaseSettings,
): Promise<Set<string>> {
  const known = await readReferences(
    db,
    plugins.filter(({ id }) => latest.has(id)),
  );
  const changed = plugins.filter((plugin) => {
    const release = latest.get(plugin.id);
    // With the same version, equal content gives an equal digest.
    return !release || treeFrom(known, plugin, release.version, settings)?.digest !== release.digest;
  });
  return new Set(changed.map(({ id }) => id));
}

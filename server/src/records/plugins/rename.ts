import type { MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { PluginDefinition } from "#storage/plugin-tables";

type Renamed = "command" | "server";

/** Plugins follow what they name to its new slug, so that they can still be published. Releases keep the old one. */
export async function renameInPlugins(
  tx: MainTransaction,
  what: Renamed,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const all = await tx.selectFrom("plugins").select(["id", "definition"]).execute();
  const ids = all.filter(({ definition }) => slugsOf(definition, what).includes(from)).map(({ id }) => id);
  if (ids.length === 0) return;
  const naming = tx.selectFrom("plugins").select(["id", "definition"]).where("id", "in", ids).orderBy("id");
  for (const { id, definition } of await lockRows(tx, naming).execute()) {
    const renamed = slugsOf(definition, what).map((slug) => (slug === from ? to : slug));
    await tx
      .updateTable("plugins")
      .set({ definition: withSlugs(definition, what, [...new Set(renamed)]) })
      .where("id", "=", id)
      .execute();
  }
}

function slugsOf({ commands, mcp }: PluginDefinition, what: Renamed): readonly string[] {
  return what === "command" ? commands : mcp.servers;
}

function withSlugs(definition: PluginDefinition, what: Renamed, slugs: string[]): PluginDefinition {
  if (what === "command") return { ...definition, commands: slugs };
  return { ...definition, mcp: { ...definition.mcp, servers: slugs } };
}

import type { MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { ToolkitRow } from "#storage/toolkit-tables";
import type { WriteTrail } from "#storage/transaction";

type Entries = Pick<ToolkitRow, "tools" | "prompts" | "resources">;

/** The slugs of all servers that a toolkit names, in the order of its entries. */
export function namedServers({ tools, prompts, resources }: Entries): string[] {
  return [...new Set([...tools, ...prompts, ...resources].map(({ server }) => server))];
}

export async function storeNamedServers(tx: MainTransaction, id: string, slugs: readonly string[]): Promise<void> {
  await tx.deleteFrom("toolkit_servers").where("toolkit_id", "=", id).execute();
  if (slugs.length === 0) return;
  await tx
    .insertInto("toolkit_servers")
    .values(slugs.map((server_slug) => ({ toolkit_id: id, server_slug })))
    .execute();
}

/**
 * Entries follow a server to its new slug. Otherwise, a rename would lift the restrictions of toolkits with least
 * privilege, and another server that gets the old slug would inherit them.
 */
export async function renameServerInToolkits(
  tx: MainTransaction,
  trail: WriteTrail,
  from: string,
  to: string,
): Promise<void> {
  const naming = tx
    .selectFrom("toolkits")
    .select(["id", "tools", "prompts", "resources"])
    .where("id", "in", (select) =>
      select.selectFrom("toolkit_servers").select("toolkit_id").where("server_slug", "=", from),
    )
    .orderBy("id");
  const renamed = <Entry extends { server: string }>(entries: Entry[]): Entry[] =>
    entries.map((entry) => (entry.server === from ? { ...entry, server: to } : entry));
  for (const { id, tools, prompts, resources } of await lockRows(tx, naming).execute()) {
    const after = { tools: renamed(tools), prompts: renamed(prompts), resources: renamed(resources) };
    await tx.updateTable("toolkits").set(after).where("id", "=", id).execute();
    await storeNamedServers(tx, id, namedServers(after));
    trail.changed("toolkit", id);
  }
}

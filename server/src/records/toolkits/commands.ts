import type { MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";

/**
 * Toolkits follow a command to its new slug, and lose a command that is deleted (`to` is undefined). Otherwise, another
 * command that gets the old slug would take its place.
 */
export async function renameCommandInToolkits(
  tx: MainTransaction,
  trail: WriteTrail,
  from: string,
  to: string | undefined,
): Promise<void> {
  const all = await tx.selectFrom("toolkits").select(["id", "commands"]).execute();
  const ids = all.filter(({ commands }) => commands.includes(from)).map(({ id }) => id);
  if (ids.length === 0) return;
  const naming = tx.selectFrom("toolkits").select(["id", "commands"]).where("id", "in", ids).orderBy("id");
  for (const { id, commands } of await lockRows(tx, naming).execute()) {
    const renamed = commands.flatMap((slug) => (slug === from ? (to ?? []) : slug));
    await tx
      .updateTable("toolkits")
      .set({ commands: [...new Set(renamed)] })
      .where("id", "=", id)
      .execute();
    trail.changed("toolkit", id);
  }
}

import type { MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";

/** Agents are not published. */
const PUBLISHED = { toolkits: "toolkit", commands: "command", agents: undefined } as const;

/**
 * Toolkits, commands and agents lose a skill that is deleted. Otherwise, another skill that gets its name would be given to
 * their users (decision 0263).
 */
export async function removeReferences(tx: MainTransaction, trail: WriteTrail, slug: string): Promise<void> {
  for (const table of ["toolkits", "commands", "agents"] as const) {
    const all = await tx.selectFrom(table).select(["id", "skills"]).execute();
    const ids = all.filter(({ skills }) => skills.includes(slug)).map(({ id }) => id);
    if (ids.length === 0) continue;
    const naming = tx.selectFrom(table).select(["id", "skills"]).where("id", "in", ids).orderBy("id");
    for (const { id, skills } of await lockRows(tx, naming).execute()) {
      const kept = skills.filter((each) => each !== slug);
      await tx.updateTable(table).set({ skills: kept }).where("id", "=", id).execute();
      const kind = PUBLISHED[table];
      if (kind) trail.changed(kind, id);
    }
  }
}

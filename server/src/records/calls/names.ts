import type { Transaction } from "kysely";
import { Lru } from "#lib/lru";
import type { CallTables } from "#storage/call-tables";
import { takeNumbers } from "./counters.ts";

/**
 * Maps names in the log (users, servers, tools) to small numbers. Names are never deleted, so cached numbers stay
 * valid.
 */
export class LogNames {
  readonly #known = new Lru<number>(20_000);

  /**
   * Resolves each name to its number and adds new ones. The caller holds the lock of the `calls` counter, so no other
   * process adds the same name concurrently. Call `keep` after the commit, because a rolled-back number is not
   * assigned.
   */
  async resolve(tx: Transaction<CallTables>, wanted: ReadonlySet<string>): Promise<ResolvedNames> {
    const ids = new Map<string, number>();
    const unknown: string[] = [];
    for (const name of wanted) {
      const id = this.#known.get(name);
      if (id === undefined) unknown.push(name);
      else ids.set(name, id);
    }
    const learned = await learnNames(tx, unknown);
    for (const [name, id] of learned) ids.set(name, id);
    return {
      id: (name) => {
        const id = ids.get(name);
        if (id === undefined) throw new Error("a name in the call log was not resolved");
        return id;
      },
      keep: () => {
        for (const [name, id] of learned) this.#known.set(name, id);
      },
    };
  }
}

export interface ResolvedNames {
  id(name: string): number;
  keep(): void;
}

async function learnNames(tx: Transaction<CallTables>, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const rows = await tx.selectFrom("log_names").select(["id", "value"]).where("value", "in", names).execute();
  const ids = new Map(rows.map((row) => [row.value, row.id]));
  const added = names.filter((name) => !ids.has(name));
  if (added.length === 0) return ids;
  let next = await takeNumbers(tx, "names", added.length);
  const newRows = added.map((value) => ({ id: next++, value }));
  await tx.insertInto("log_names").values(newRows).execute();
  for (const { id, value } of newRows) ids.set(value, id);
  return ids;
}

import { nextTurn } from "#lib/next-turn";
import type { RegistryReading } from "#records/connectors";
import type { RegistryEntryRow } from "#storage/server-tables";
import { RegistryFault } from "./fault.ts";
import { type FetchPagesNeeds, fetchPages } from "./fetch-pages.ts";
import { type JudgedEntry, readEntry } from "./read-entry.ts";

const MOST_ENTRIES = 50_000;
const ENTRIES_PER_TURN = 100;

/** Gathers what one reading finds. */
class CountedReading implements RegistryReading {
  readonly entries = new Map<string, RegistryEntryRow>();
  readonly absentIds = new Set<string>();
  readonly whole: boolean;
  /** By reason, how many entries of the registry are not in ours. */
  readonly skipped: Record<string, number> = {};
  /** When the newest of them was changed, by the registry's clock; 0 when none said. */
  newestAt = 0;

  constructor(whole: boolean) {
    this.whole = whole;
  }

  add(judged: JudgedEntry): void {
    if (judged.kind !== "skipped") this.newestAt = Math.max(this.newestAt, judged.updatedAt);
    if (judged.kind === "entry") {
      this.entries.set(judged.row.id, judged.row);
      this.absentIds.delete(judged.row.id);
      return;
    }
    this.skipped[judged.reason] = (this.skipped[judged.reason] ?? 0) + 1;
    if (judged.kind === "absent" && !this.entries.has(judged.id)) this.absentIds.add(judged.id);
  }
}

/** Reads the registry to its end before anything is stored. `since`: only what was changed from then on. */
export async function readRegistry(needs: FetchPagesNeeds, since: number | undefined): Promise<CountedReading> {
  const reading = new CountedReading(since === undefined);
  for await (const { servers } of fetchPages(needs, since)) {
    for (const [index, server] of servers.entries()) {
      if (index % ENTRIES_PER_TURN === 0) await nextTurn();
      reading.add(readEntry(server));
    }
    if (reading.entries.size + reading.absentIds.size > MOST_ENTRIES) {
      throw new RegistryFault(`it has more than ${MOST_ENTRIES} servers`);
    }
  }
  return reading;
}

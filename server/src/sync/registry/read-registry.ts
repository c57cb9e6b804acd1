import { nextTurn } from "#lib/next-turn";
import type { RegistryReading } from "#records/connectors";
import type { RegistryEntryRow } from "#storage/server-tables";
import { RegistryFault } from "./fault.ts";
import { type FetchPagesNeeds, fetchPages } from "./fetch-pages.ts";
import { type ParsedEntry, readEntry } from "./read-entry.ts";

const MAX_ENTRIES = 50_000;
const ENTRIES_PER_TURN = 100;

/** Collects the entries of one sync. */
class CountedReading implements RegistryReading {
  readonly entries = new Map<string, RegistryEntryRow>();
  readonly absentIds = new Set<string>();
  readonly whole: boolean;
  /** Number of skipped entries by reason. */
  readonly skipped: Record<string, number> = {};
  /** Time of the latest change by the registry's clock; 0: unknown. */
  newestAt = 0;

  constructor(whole: boolean) {
    this.whole = whole;
  }

  add(parsed: ParsedEntry): void {
    if (parsed.kind !== "skipped") this.newestAt = Math.max(this.newestAt, parsed.updatedAt);
    if (parsed.kind === "entry") {
      this.entries.set(parsed.row.id, parsed.row);
      this.absentIds.delete(parsed.row.id);
      return;
    }
    this.skipped[parsed.reason] = (this.skipped[parsed.reason] ?? 0) + 1;
    if (parsed.kind === "absent" && !this.entries.has(parsed.id)) this.absentIds.add(parsed.id);
  }
}

/** Reads all pages before anything is stored. `since`: only entries changed since then. */
export async function readRegistry(needs: FetchPagesNeeds, since: number | undefined): Promise<CountedReading> {
  const reading = new CountedReading(since === undefined);
  for await (const { servers } of fetchPages(needs, since)) {
    for (const [index, server] of servers.entries()) {
      if (index % ENTRIES_PER_TURN === 0) await nextTurn();
      reading.add(readEntry(server));
    }
    if (reading.entries.size + reading.absentIds.size > MAX_ENTRIES) {
      throw new RegistryFault(`more than ${MAX_ENTRIES} servers`);
    }
  }
  return reading;
}

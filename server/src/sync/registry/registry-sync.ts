import { EgressFailure } from "#egress/egress";
import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";
import { applyReading, hasRegistryEntries, registryState } from "#records/connectors";
import type { MainDb } from "#storage/database";
import type { RegistryStateRow } from "#storage/server-tables";
import { RegistryFault } from "./fault.ts";
import type { FetchPagesNeeds } from "./fetch-pages.ts";
import { readRegistry } from "./read-registry.ts";

export interface RegistrySync {
  /** Syncs at the first call, then every few hours. Errors of the registry are logged, not thrown. */
  runWhenDue(): Promise<void>;
  /** Aborts a running sync without storing anything. */
  stop(): void;
}

export interface RegistrySyncNeeds extends Omit<FetchPagesNeeds, "signal"> {
  readonly db: MainDb;
  readonly logger: Logger;
  readonly random: RandomBytes;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const INTERVAL_MS = 4 * HOUR_MS;
/** Random delay, so installations do not sync at the same time. */
const JITTER_MS = HOUR_MS;
const RETRY_MS = 30 * MINUTE_MS;
/** A complete sync corrects changes that the registry did not report. */
const COMPLETE_INTERVAL_MS = 7 * 24 * HOUR_MS;
/**
 * Entries can change on pages that were already read. No sync takes this long, so requesting changes from this much
 * before the newest one misses none, regardless of clock differences.
 */
const OVERLAP_MS = HOUR_MS;

/** Syncs the public registry into the catalog. An invalid response changes nothing. */
export function createRegistrySync(needs: RegistrySyncNeeds): RegistrySync {
  const { clock, random } = needs;
  const stop = new AbortController();
  let dueAt = clock.monotonic();
  return {
    async runWhenDue() {
      if (stop.signal.aborted || clock.monotonic() < dueAt) return;
      dueAt = clock.monotonic() + RETRY_MS;
      const done = await syncRegistry({ ...needs, signal: stop.signal });
      const [share = 0] = random(1);
      if (done) dueAt = clock.monotonic() + INTERVAL_MS + (share / 256) * JITTER_MS;
    },
    stop: () => stop.abort(),
  };
}

/** Returns whether the sync succeeded. */
async function syncRegistry(needs: RegistrySyncNeeds & FetchPagesNeeds): Promise<boolean> {
  const { db, clock, logger, registryUrl, signal } = needs;
  try {
    const state = await registryState(db);
    const now = clock.now();
    const since = state && canSyncChanges(state, registryUrl, now) ? state.read_up_to : undefined;
    const reading = await readRegistry(needs, since);
    // An empty registry is more likely broken.
    if (reading.whole && reading.entries.size === 0 && (await hasRegistryEntries(db))) {
      throw new RegistryFault("no servers listed");
    }
    signal.throwIfAborted();
    const { stored, removed } = await applyReading(db, reading, {
      registry_url: registryUrl,
      read_up_to: Math.max(since ?? 0, Math.min(reading.newestAt, now) - OVERLAP_MS),
      read_whole_at: since === undefined || !state ? now : state.read_whole_at,
    });
    logger.info({ registry: registryUrl, stored, removed, skipped: reading.skipped }, "registry synced");
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    if (!(error instanceof RegistryFault || error instanceof EgressFailure)) throw error;
    logger.warn(
      { registry: registryUrl, reason: error.message },
      "registry sync failed; the catalog is unchanged. Set REGISTRY_SYNC=off to disable it",
    );
    return false;
  }
}

/** Whether syncing only changes is sufficient. */
function canSyncChanges(state: RegistryStateRow, registryUrl: string, now: number): boolean {
  return state.registry_url === registryUrl && state.read_up_to > 0 && now - state.read_whole_at < COMPLETE_INTERVAL_MS;
}

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
  /** Reads the registry when it is time: at the first call, then every few hours. Throws only for faults of ours. */
  runWhenDue(): Promise<void>;
  /** Ends a reading under way; nothing of it is stored. */
  stop(): void;
}

export interface RegistrySyncNeeds extends Omit<FetchPagesNeeds, "signal"> {
  readonly db: MainDb;
  readonly logger: Logger;
  readonly random: RandomBytes;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EVERY_MS = 4 * HOUR_MS;
/** Up to this much later, so that not all installations ask the registry at the same time. */
const JITTER_MS = HOUR_MS;
const AFTER_A_FAILURE_MS = 30 * MINUTE_MS;
/** What the registry does not tell in its changes comes with a whole reading now and then. */
const WHOLE_EVERY_MS = 7 * 24 * HOUR_MS;
/**
 * What is changed while we read may be on a page that we have passed. No reading takes this long, so whoever asks from
 * this much before the newest change misses none, whatever the two clocks say.
 */
const OVERLAP_MS = HOUR_MS;

/** Brings the public registry's servers into the catalog. A registry that misbehaves changes nothing. */
export function createRegistrySync(needs: RegistrySyncNeeds): RegistrySync {
  const { clock, random } = needs;
  const stop = new AbortController();
  let dueAt = clock.monotonic();
  return {
    async runWhenDue() {
      if (stop.signal.aborted || clock.monotonic() < dueAt) return;
      dueAt = clock.monotonic() + AFTER_A_FAILURE_MS;
      const done = await syncRegistry({ ...needs, signal: stop.signal });
      const [share = 0] = random(1);
      if (done) dueAt = clock.monotonic() + EVERY_MS + (share / 256) * JITTER_MS;
    },
    stop: () => stop.abort(),
  };
}

/** Answers whether the catalog is now as the registry is. */
async function syncRegistry(needs: RegistrySyncNeeds & FetchPagesNeeds): Promise<boolean> {
  const { db, clock, logger, registryUrl, signal } = needs;
  try {
    const state = await registryState(db);
    const now = clock.now();
    const since = state && isFit(state, registryUrl, now) ? state.read_up_to : undefined;
    const reading = await readRegistry(needs, since);
    // A registry that has lost everything is more likely broken than empty.
    if (reading.whole && reading.entries.size === 0 && (await hasRegistryEntries(db))) {
      throw new RegistryFault("it lists nothing any more");
    }
    signal.throwIfAborted();
    const { stored, removed } = await applyReading(db, reading, {
      registry_url: registryUrl,
      read_up_to: Math.max(since ?? 0, Math.min(reading.newestAt, now) - OVERLAP_MS),
      read_whole_at: since === undefined || !state ? now : state.read_whole_at,
    });
    logger.info({ registry: registryUrl, stored, removed, skipped: reading.skipped }, "the registry was read");
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    if (!(error instanceof RegistryFault || error instanceof EgressFailure)) throw error;
    logger.warn(
      { registry: registryUrl, reason: error.message },
      "the registry could not be read; the catalog stays as it is. REGISTRY_SYNC=off stops asking",
    );
    return false;
  }
}

/** Whether asking for changes is enough. */
function isFit(state: RegistryStateRow, registryUrl: string, now: number): boolean {
  return state.registry_url === registryUrl && state.read_up_to > 0 && now - state.read_whole_at < WHOLE_EVERY_MS;
}

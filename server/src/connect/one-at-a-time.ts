import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import { releaseLease, takeLease } from "#records/leases";
import type { MainDb } from "#storage/database";

/** Longer than any single request that is made under it, so that a dead process delays others no longer than this. */
const LEASE_MS = 30_000;
const LOOK_AGAIN_MS = 100;

export interface Lease {
  /**
   * Called right before the outside is asked for up to `ms`: rejects the work when the lease may end meanwhile, because
   * the database kept us waiting, and another process may by then be doing the same (OPS-11).
   */
  assertLasts(ms: number): void;
}

export interface Work<Result> {
  /** What another one has left already; undefined: it is still to be done. */
  find(): Promise<Result | undefined>;
  work(lease: Lease): Promise<Result>;
}

export class LeaseTooShort extends Error {
  override readonly name = "LeaseTooShort";
}

/**
 * Of all who want the same done, on any replica, one does it; the others wait for what it leaves. A row with an end is
 * the lock, so no transaction is held over the network.
 */
export async function oneAtATime<Result>(
  { db, clock, newId }: { readonly db: MainDb; readonly clock: Clock; readonly newId: NewId },
  name: string,
  { find, work }: Work<Result>,
): Promise<Result> {
  const holder = newId("lse");
  let askedAt: number;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    askedAt = clock.monotonic();
    if (await takeLease(db, name, holder, clock.now(), LEASE_MS)) break;
    await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_MS, resolve));
  }
  const endsAt = askedAt + LEASE_MS;
  const lease: Lease = {
    assertLasts(ms) {
      if (clock.monotonic() + ms > endsAt) throw new LeaseTooShort(`the lease "${name}" does not last long enough`);
    },
  };
  try {
    // Whoever had the lease before may have finished between the look and the lease.
    return (await find()) ?? (await work(lease));
  } finally {
    await releaseLease(db, name, holder);
  }
}

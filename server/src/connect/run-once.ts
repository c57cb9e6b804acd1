import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import { releaseLease, takeLease } from "#records/leases";
import type { MainDb } from "#storage/database";

/** Longer than any request made under the lease. A dead process delays others at most this long. */
const LEASE_MS = 30_000;
const POLL_MS = 100;

export interface Lease {
  /**
   * Called before a request that can take `ms`. Throws if the lease could expire meanwhile, because another process could
   * then do the same work (OPS-11).
   */
  assertLasts(ms: number): void;
}

export interface Work<Result> {
  /** The result of another process; undefined: there is none yet. */
  find(): Promise<Result | undefined>;
  work(lease: Lease): Promise<Result>;
}

export class LeaseTooShort extends Error {
  override readonly name = "LeaseTooShort";
}

/**
 * One caller on one replica does the work; the others wait for its result. The lock is a row that expires, so no
 * transaction is open during network requests.
 */
export async function runOnce<Result>(
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
    await new Promise<void>((resolve) => void clock.after(POLL_MS, resolve));
  }
  const endsAt = askedAt + LEASE_MS;
  const lease: Lease = {
    assertLasts(ms) {
      if (clock.monotonic() + ms > endsAt) throw new LeaseTooShort(`the lease "${name}" does not last long enough`);
    },
  };
  try {
    // The previous holder may have finished between `find` and `takeLease`.
    return (await find()) ?? (await work(lease));
  } finally {
    await releaseLease(db, name, holder);
  }
}

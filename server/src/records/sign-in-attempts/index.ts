import { createHash } from "node:crypto";
import { fold } from "#lib/fold";
import { networkOf } from "#lib/network-of";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";

const FORGOTTEN_MS = 60 * 60 * 1000;

/**
 * After this many failures the next attempt must wait, twice as long each time. The wait for an account stays short,
 * because anyone can cause it; the wait for an address begins later, because many people can share one.
 */
const RULES = {
  account: { free: 5, longestMs: 60_000 },
  address: { free: 20, longestMs: 15 * 60_000 },
} as const;

export interface Attempt {
  readonly email: string;
  readonly address: string;
}

/**
 * Counts an attempt as failed before it is checked, so that concurrent attempts cannot avoid the limit. Returns the
 * time until which further attempts are blocked; undefined if this attempt can be checked.
 */
export async function beginAttempt(tx: MainTransaction, attempt: Attempt, now: number): Promise<number | undefined> {
  const keys = [...keysOf(attempt)];
  const fresh = keys.map(([key]) => ({ attempt_key: key, failures: 0, blocked_until: 0, last_at: now }));
  await tx
    .insertInto("sign_in_attempts")
    .values(fresh)
    .onConflict((conflict) => conflict.column("attempt_key").doNothing())
    .execute();
  const known = tx.selectFrom("sign_in_attempts").selectAll();
  const rows = await lockRows(
    tx,
    known
      .where(
        "attempt_key",
        "in",
        keys.map(([key]) => key),
      )
      .orderBy("attempt_key"),
  ).execute();
  // OPS-6: a longer block than the maximum dates from before the clock was set back and would last for days.
  const ends = rows.map((row) => row.blocked_until).filter((end) => end - now <= RULES.address.longestMs);
  const blockedUntil = Math.max(0, ...ends);
  if (blockedUntil > now) return blockedUntil;
  for (const [key, { free, longestMs }] of keys) {
    const row = rows.find((each) => each.attempt_key === key);
    const before = row && row.last_at > now - FORGOTTEN_MS ? row.failures : 0;
    const failures = before + 1;
    const waitMs = failures < free ? 0 : Math.min(1_000 * 2 ** Math.min(failures - free, 30), longestMs);
    await tx
      .updateTable("sign_in_attempts")
      .set({ failures, blocked_until: now + waitMs, last_at: now })
      .where("attempt_key", "=", key)
      .execute();
  }
  return undefined;
}

/** Reverts the count of a successful attempt. Other failures of the address still count. */
export async function attemptSucceeded(tx: MainTransaction, attempt: Attempt): Promise<void> {
  const [[account], [address]] = keysOf(attempt);
  await tx.deleteFrom("sign_in_attempts").where("attempt_key", "=", account).execute();
  await tx
    .updateTable("sign_in_attempts")
    .set((row) => ({ failures: row("failures", "-", 1), blocked_until: 0 }))
    .where("attempt_key", "=", address)
    .where("failures", ">", 0)
    .execute();
}

export async function deleteAttemptsBefore(db: MainDb, now: number): Promise<void> {
  await db
    .deleteFrom("sign_in_attempts")
    .where("last_at", "<=", now - FORGOTTEN_MS)
    .execute();
}

/** In the order in which rows are locked. The account is hashed, because people may type anything into that field. */
function keysOf({ email, address }: Attempt) {
  const account = createHash("sha256").update(fold(email)).digest("hex");
  return [
    [`account ${account}`, RULES.account],
    [`address ${networkOf(address)}`, RULES.address],
  ] as const;
}

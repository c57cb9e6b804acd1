import { createHash } from "node:crypto";
import { fold } from "#lib/fold";
import { networkOf } from "#lib/network-of";
import type { RandomBytes } from "#lib/random";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import { FORGOTTEN_MS, trimAttempts } from "./trim.ts";

/**
 * After this many failures the next attempt must wait, twice as long each time. The wait for an account stays short,
 * because anyone can cause it; the wait for an address begins later, because many people can share one. A device has
 * its own count, so that others cannot make its owner wait.
 */
const RULES = {
  account: { free: 5, longestMs: 60_000 },
  address: { free: 20, longestMs: 15 * 60_000 },
  device: { free: 10, longestMs: 15 * 60_000 },
} as const;

export interface Attempt {
  readonly email: string;
  readonly address: string;
  /** Identifies a browser in which this account has signed in before; undefined: another browser. */
  readonly device?: string | undefined;
}

type Key = readonly [key: string, rule: (typeof RULES)[keyof typeof RULES]];

/** One of this many attempts removes surplus rows, so that the table stays bounded without a count for each attempt. */
const TRIMMED_EVERY = 256;

/** The time until which attempts are blocked; undefined if they are not. Stores nothing. */
export async function blockedUntil(db: MainDb, attempt: Attempt, now: number): Promise<number | undefined> {
  const keys = keysOf(attempt).map(([key]) => key);
  return latestBlock(await rowsOf(db, keys).execute(), now);
}

/**
 * Counts an attempt as failed before it is checked, so that concurrent attempts cannot avoid the limit. Returns the
 * time until which further attempts are blocked; undefined if this attempt can be checked. The address is checked
 * first, so that a blocked address adds no rows.
 */
export async function beginAttempt(
  tx: MainTransaction,
  attempt: Attempt,
  now: number,
  random: RandomBytes,
): Promise<number | undefined> {
  if ((random(1)[0] ?? 0) % TRIMMED_EVERY === 0) await trimAttempts(tx, now);
  const locked: { readonly key: Key; readonly failures: number }[] = [];
  for (const key of keysOf(attempt)) {
    const row = await lockAttempts(tx, key[0], now);
    const until = latestBlock(row ? [row] : [], now);
    if (until !== undefined) return until;
    locked.push({ key, failures: row && row.last_at > now - FORGOTTEN_MS ? row.failures : 0 });
  }
  for (const { key, failures } of locked) await countFailure(tx, key, failures + 1, now);
  return undefined;
}

async function lockAttempts(tx: MainTransaction, key: string, now: number) {
  await tx
    .insertInto("sign_in_attempts")
    .values({ attempt_key: key, failures: 0, blocked_until: 0, last_at: now })
    .onConflict((conflict) => conflict.column("attempt_key").doNothing())
    .execute();
  return lockRows(tx, rowsOf(tx, [key])).executeTakeFirst();
}

async function countFailure(
  tx: MainTransaction,
  [key, { free, longestMs }]: Key,
  failures: number,
  now: number,
): Promise<void> {
  const waitMs = failures < free ? 0 : Math.min(1_000 * 2 ** Math.min(failures - free, 30), longestMs);
  await tx
    .updateTable("sign_in_attempts")
    .set({ failures, blocked_until: now + waitMs, last_at: now })
    .where("attempt_key", "=", key)
    .execute();
}

function rowsOf(db: MainDb, keys: readonly string[]) {
  return db.selectFrom("sign_in_attempts").selectAll().where("attempt_key", "in", keys).orderBy("attempt_key");
}

/** OPS-6: a longer block than the maximum dates from before the clock was set back and would last for days. */
function latestBlock(rows: readonly { readonly blocked_until: number }[], now: number): number | undefined {
  const ends = rows.map((row) => row.blocked_until).filter((end) => end - now <= RULES.address.longestMs);
  const latest = Math.max(0, ...ends);
  return latest > now ? latest : undefined;
}

/** Reverts the count of a successful attempt. Other failures of the address still count, and those of other browsers. */
export async function attemptSucceeded(tx: MainTransaction, attempt: Attempt): Promise<void> {
  for (const [key, rule] of keysOf(attempt)) {
    if (rule === RULES.address) {
      await tx
        .updateTable("sign_in_attempts")
        .set((row) => ({ failures: row("failures", "-", 1), blocked_until: 0 }))
        .where("attempt_key", "=", key)
        .where("failures", ">", 0)
        .execute();
    } else await tx.deleteFrom("sign_in_attempts").where("attempt_key", "=", key).execute();
  }
}

/** In the order in which rows are locked. The account is hashed, because people may type anything into that field. */
function keysOf({ email, address, device }: Attempt): readonly Key[] {
  if (device !== undefined) return [[`device ${device}`, RULES.device]];
  const account = createHash("sha256").update(fold(email)).digest("hex");
  return [
    [`address ${networkOf(address)}`, RULES.address],
    [`account ${account}`, RULES.account],
  ];
}

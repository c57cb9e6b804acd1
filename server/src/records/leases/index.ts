import type { MainDb } from "#storage/database";

/**
 * Takes or renews a lease. Work that must run in one replica at a time uses a row with an expiry, never a lock held
 * over the network. Returns whether `holder` has the lease until `now + forMs`.
 */
export async function takeLease(
  db: MainDb,
  name: string,
  holder: string,
  now: number,
  forMs: number,
): Promise<boolean> {
  const expiresAt = now + forMs;
  const taken = await db
    .insertInto("leases")
    .values({ name, holder, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, expires_at: expiresAt })
        .where((where) =>
          where.or([
            where("leases.holder", "=", holder),
            where("leases.expires_at", "<=", now),
            // OPS-6: an expiry beyond any lease means that the clock was set back, and the holder may be dead.
            where("leases.expires_at", ">", now + 2 * forMs),
          ]),
        ),
    )
    .returning("holder")
    .executeTakeFirst();
  return taken?.holder === holder;
}

export async function releaseLease(db: MainDb, name: string, holder: string): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
}

/** Records that a process is alive. A process without a recent heartbeat can be considered dead. */
export async function recordHeartbeat(db: MainDb, holder: string, now: number): Promise<void> {
  await db
    .insertInto("leases")
    .values({ name: PROCESS + holder, holder, expires_at: now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ expires_at: now }))
    .execute();
}

/** The time of the last heartbeat by process, in that process's time. */
export async function lastHeartbeats(db: MainDb): Promise<Map<string, number>> {
  const rows = await db.selectFrom("leases").selectAll().where("name", "like", `${PROCESS}%`).execute();
  return new Map(rows.map(({ holder, expires_at }) => [holder, expires_at]));
}

export async function forgetProcess(db: MainDb, holder: string): Promise<void> {
  await releaseLease(db, PROCESS + holder, holder);
}

const PROCESS = "process ";

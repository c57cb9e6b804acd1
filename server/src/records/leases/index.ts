import type { MainDb } from "#storage/database";

/**
 * Takes or renews a lease: what must happen once at a time over all replicas holds a row with an end, never a lock
 * held over the network. Answers whether `holder` has it until `now + forMs`.
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
            // OPS-6: longer than any lease is given for. The clock was set back since, and its holder may be dead.
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

/** A process says that it lives; whoever sees that it has not for a while may take it for dead. */
export async function sayAlive(db: MainDb, holder: string, now: number): Promise<void> {
  await db
    .insertInto("leases")
    .values({ name: PROCESS + holder, holder, expires_at: now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ expires_at: now }))
    .execute();
}

/** By process, when it said so last by its own clock. */
export async function lastSigns(db: MainDb): Promise<Map<string, number>> {
  const rows = await db.selectFrom("leases").selectAll().where("name", "like", `${PROCESS}%`).execute();
  return new Map(rows.map(({ holder, expires_at }) => [holder, expires_at]));
}

export async function forgetProcess(db: MainDb, holder: string): Promise<void> {
  await releaseLease(db, PROCESS + holder, holder);
}

const PROCESS = "process ";

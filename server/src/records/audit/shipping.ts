import type { AuditRow } from "#storage/audit-tables";
import type { MainDb } from "#storage/database";

export function entriesAfter(db: MainDb, seq: number, limit: number): Promise<AuditRow[]> {
  return db.selectFrom("audit").selectAll().where("seq", ">", seq).orderBy("seq").limit(limit).execute();
}

/** An entry as receivers get it. */
export function shippedEntry(row: AuditRow) {
  return {
    seq: row.seq,
    hash: row.hash,
    id: row.id,
    ts: new Date(row.at).toISOString(),
    actor: { type: row.actor_kind, id: row.actor_id, name: row.actor_name },
    operation: row.operation,
    target: { type: row.target_kind, id: row.target_id, name: row.target_name },
    before: row.before,
    after: row.after,
    request_id: row.request_id,
    ip: row.ip,
  };
}

/** The last entry that was shipped to this receiver. */
export async function readCursor(db: MainDb, name: string): Promise<number | undefined> {
  const row = await db.selectFrom("audit_shipping").select("seq").where("name", "=", name).executeTakeFirst();
  return row?.seq;
}

export async function writeCursor(db: MainDb, name: string, seq: number, now: number): Promise<void> {
  await db
    .insertInto("audit_shipping")
    .values({ name, seq, shipped_at: now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ seq, shipped_at: now }))
    .execute();
}

export function listCursors(db: MainDb) {
  return db.selectFrom("audit_shipping").selectAll().orderBy("name").execute();
}

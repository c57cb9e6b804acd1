import { decodeCursor, encodeCursor } from "#lib/cursor";
import type { MainDb } from "#storage/database";
import type { AuditRow } from "#storage/tables";

export { type ChainState, countUnchained, cutChain, readChainState, updateChainState } from "./chain-state.ts";
export {
  type Checkpoint,
  checkpointsOf,
  insertCheckpoint,
  isGenuineCheckpoint,
  lastCheckpoint,
  presentCheckpoint,
} from "./checkpoints.ts";
export { entriesAfter, listCursors, readCursor, shippedEntry, writeCursor } from "./shipping.ts";
export { type VerifiedChain, verifyChain } from "./verify-chain.ts";

/** `storage/transaction.ts` writes the rows, in the transaction of the change. */
export interface AuditFilters {
  readonly operation?: string | undefined;
  /** The actor's ID or name. */
  readonly actor?: string | undefined;
  readonly targetType?: string | undefined;
  /** The target's ID, or its name at that time. */
  readonly target?: string | undefined;
  /** Epoch milliseconds; `from` is inclusive, `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const AUDIT_ID = /^aud_\w+$/;

/** Newest first (D22). Throws if the cursor is invalid. */
export async function listAudit(
  db: MainDb,
  { limit, cursor, filters }: { limit: number; cursor: string | undefined; filters: AuditFilters },
): Promise<{ rows: AuditRow[]; nextCursor: string | undefined }> {
  let query = filtered(db, filters);
  if (cursor !== undefined) {
    const after = decodeCursor(cursor, AUDIT_ID);
    query = query.where((row) => row(row.refTuple("at", "id"), "<", row.tuple(after.at, after.id)));
  }
  const rows = await query
    .selectAll()
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: last && rows.length > limit ? encodeCursor(last) : undefined };
}

export async function countAudit(db: MainDb, filters: AuditFilters): Promise<number> {
  const { count } = await filtered(db, filters)
    .select((row) => row.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function filtered(db: MainDb, { operation, actor, targetType, target, from, to }: AuditFilters) {
  let query = db.selectFrom("audit");
  if (operation !== undefined) query = query.where("operation", "=", operation);
  if (actor !== undefined) {
    query = query.where((row) => row.or([row("actor_id", "=", actor), row("actor_name", "=", actor)]));
  }
  if (targetType !== undefined) query = query.where("target_kind", "=", targetType);
  if (target !== undefined) {
    query = query.where((row) => row.or([row("target_id", "=", target), row("target_name", "=", target)]));
  }
  if (from !== undefined) query = query.where("at", ">=", from);
  if (to !== undefined) query = query.where("at", "<", to);
  return query;
}

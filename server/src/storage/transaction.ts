import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import { constraintName } from "./constraints.ts";
import type { MainDb, MainTransaction } from "./database.ts";
import type { ChangeKind } from "./tables.ts";

/** Who does something: for the audit row, and for the scope of an idempotency key. */
export interface Actor {
  readonly kind: "api-token" | "user" | "system";
  readonly id: string;
  readonly name: string;
}

export interface AuditEntry {
  readonly operation: string;
  readonly target: { readonly kind: string; readonly id: string; readonly name: string };
  /** What was and what is, without secrets. */
  readonly before?: object;
  readonly after?: object;
}

export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
}

/** What a write tells beside its rows: all of it lands in the same transaction or not at all. */
export class WriteTrail {
  readonly audits: AuditEntry[] = [];
  readonly changes: Change[] = [];

  audit(entry: AuditEntry): void {
    this.audits.push(entry);
  }

  changed(kind: ChangeKind, ...ids: string[]): void {
    for (const id of ids) this.changes.push({ kind, id });
  }
}

export interface WriteContext {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface WriteAuthor {
  readonly actor: Actor;
  readonly requestId: string;
  /** Where the caller came from, as far as trusted proxies tell. */
  readonly address?: string | undefined;
}

/** Whoever moves what is sealed from one key to the next: an operator's command, or the servers by themselves. */
export const KEY_ROTATION: WriteAuthor = {
  actor: { kind: "system", id: "key-rotation", name: "Key rotation" },
  requestId: "key-rotation",
};

/**
 * One write: its rows, its audit rows and its change rows in one transaction. Answers the revision that the snapshot
 * must reach before the caller hears of it; undefined when the gateway is not concerned.
 */
export async function writeTransaction<Result>(
  { db, clock, newId }: WriteContext,
  author: WriteAuthor,
  work: (tx: MainTransaction, trail: WriteTrail) => Promise<Result>,
): Promise<{ result: Result; revision: number | undefined }> {
  const attempt = () =>
    db.transaction().execute(async (tx) => {
      const trail = new WriteTrail();
      const result = await work(tx, trail);
      if (trail.audits.length > 0) {
        const at = clock.now();
        await tx
          .insertInto("audit")
          .values(trail.audits.map((entry) => auditRow(entry, newId("aud"), at, author)))
          .execute();
      }
      return { result, revision: await recordChanges(tx, trail.changes) };
    });
  for (let left = RETRIES; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !lostRace(error)) throw error;
    }
  }
}

const RETRIES = 5;

/**
 * Another transaction was first: a deadlock, the same idempotency key, or a row that this one was about to link to is
 * gone. Nothing was changed, so it may run again and judge anew.
 */
function lostRace(error: unknown): boolean {
  if (constraintName(error) === "idempotency_pkey") return true;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "40P01" || code === "40001" || code === "23503";
}

function auditRow(entry: AuditEntry, id: string, at: number, { actor, requestId, address }: WriteAuthor) {
  return {
    id,
    at,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    operation: entry.operation,
    target_kind: entry.target.kind,
    target_id: entry.target.id,
    target_name: entry.target.name,
    before: entry.before ?? null,
    after: entry.after ?? null,
    request_id: requestId,
    ip: address ?? null,
  };
}

const ROWS_PER_INSERT = 500;

/**
 * The counter row is updated last: its lock is held only until the commit, and commits are ordered by it, so whoever
 * reads changes from a revision on misses none.
 */
async function recordChanges(tx: MainTransaction, changes: readonly Change[]): Promise<number | undefined> {
  if (changes.length === 0) return undefined;
  const { revision } = await tx
    .updateTable("change_counter")
    .set((expression) => ({ revision: expression("revision", "+", 1) }))
    .where("id", "=", 1)
    .returning("revision")
    .executeTakeFirstOrThrow();
  const distinct = new Map(changes.map((change) => [`${change.kind} ${change.id}`, change]));
  const rows = [...distinct.values()].map(({ kind, id }) => ({ revision, kind, target_id: id }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("changes")
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
  return revision;
}

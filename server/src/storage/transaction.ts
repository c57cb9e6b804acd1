import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import { insertChained } from "./audit-chain.ts";
import type { AuditEntry, WriteAuthor } from "./audit-entry.ts";
import { constraintName, isPickedValueTaken } from "./constraints.ts";
import type { MainDb, MainTransaction } from "./database.ts";
import { type EmittedEvent, insertDeliveries } from "./event-outbox.ts";
import { securityAlertOf } from "./security-alerts.ts";
import type { ChangeKind } from "./tables.ts";
import { inWriteQueue } from "./write-queue.ts";

export type { Actor, AuditEntry, WriteAuthor } from "./audit-entry.ts";

export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
}

/** Audit entries, changes and events that a write collects. They are stored in the same transaction as its rows. */
export class WriteTrail {
  readonly audits: AuditEntry[] = [];
  readonly changes: Change[] = [];
  readonly events: EmittedEvent[] = [];

  audit(entry: AuditEntry): void {
    this.audits.push(entry);
  }

  /** Sends an event to the webhooks that subscribe to it, after the write is committed. */
  emit(type: EmittedEvent["type"], data: object, agent: Pick<EmittedEvent, "agentId" | "isForAgentOnly"> = {}): void {
    this.events.push({ type, data, ...agent });
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

/** Author of the writes that move sealed values to a new key, started by a command or by a job. */
export const KEY_ROTATION: WriteAuthor = {
  actor: { kind: "system", id: "key-rotation", name: "Key rotation" },
  requestId: "key-rotation",
};

export interface PublishContext extends WriteContext {
  /** Resolves when the snapshot of this process holds the revision. */
  waitUntilPublished(revision: number): Promise<void>;
}

export interface Written<Result> {
  readonly result: Result;
  /** The revision that contains the write. Undefined if the write changed nothing that is published. */
  readonly revision: number | undefined;
}

/** Like `writeTransaction`, but resolves only when the gateway of this process applies the write. */
export function writeAndPublish<Result>(
  context: PublishContext,
  author: WriteAuthor,
  work: (tx: MainTransaction, trail: WriteTrail) => Promise<Result>,
): Promise<Result> {
  return resultWhenPublished(context, writeTransaction(context, author, work));
}

/** The only place that waits for publication. */
export async function resultWhenPublished<Result>(
  { waitUntilPublished }: Pick<PublishContext, "waitUntilPublished">,
  write: Promise<Written<Result>>,
): Promise<Result> {
  const { result, revision } = await write;
  if (revision !== undefined) await waitUntilPublished(revision);
  return result;
}

/** Stores a write's rows, audit rows, change rows and events in one transaction. */
export async function writeTransaction<Result>(
  { db, clock, newId }: WriteContext,
  author: WriteAuthor,
  work: (tx: MainTransaction, trail: WriteTrail) => Promise<Result>,
): Promise<Written<Result>> {
  const attempt = () =>
    db.transaction().execute(async (tx) => {
      const trail = new WriteTrail();
      const result = await work(tx, trail);
      const at = clock.now();
      const audits = trail.audits.map((entry) => ({ entry, row: auditRow(entry, newId("aud"), at, author) }));
      const alerts = audits.flatMap(({ entry, row }) => securityAlertOf(entry, author, row.id) ?? []);
      await insertDeliveries(tx, [...trail.events, ...alerts], newId, at);
      // After everything that can wait for rows of other writes, because it holds a lock that all writes need.
      if (audits.length > 0) {
        await insertChained(
          tx,
          audits.map(({ row }) => row),
        );
      }
      return { result, revision: await recordChanges(tx, trail.changes) };
    });
  for (let lostRaces = 0, lostPicks = 0; ; ) {
    try {
      return await inWriteQueue(db, clock, attempt);
    } catch (error) {
      const canRetry = isPickedValueTaken(error)
        ? ++lostPicks <= MAX_LOST_PICKS
        : isLostRace(error) && ++lostRaces <= MAX_LOST_RACES;
      if (!canRetry) throw error;
    }
  }
}

const MAX_LOST_RACES = 5;
/** Each lost pick means that another write succeeded, so this many in a row indicate a different problem. */
const MAX_LOST_PICKS = 50;

/**
 * A concurrent transaction won: a deadlock, the same idempotency key, or a linked row was deleted. The failed attempt
 * changed nothing, so it can run again.
 */
export function isLostRace(error: unknown): boolean {
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
 * Updates the counter row last. Its lock is held until the commit and orders commits, so a reader that follows changes
 * from a revision misses none.
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

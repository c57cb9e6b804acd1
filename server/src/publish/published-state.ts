import type { Databases, MainDb, MainTransaction } from "#storage/database";
import { FOLLOWED_CHANGES } from "#storage/trim-changes";
import { EMPTY_STATE, type PublishedKind, type PublishedState } from "./published-kind.ts";

type Kinds = readonly PublishedKind[];
type ChangedIds = ReadonlyMap<string, ReadonlySet<string>>;

export async function readRevision(db: MainDb): Promise<number> {
  const row = await db.selectFrom("change_counter").select("revision").where("id", "=", 1).executeTakeFirstOrThrow();
  return row.revision;
}

/** The current state of the database. Returns the same object when nothing changed. */
export async function advanceState(databases: Databases, kinds: Kinds, state: PublishedState): Promise<PublishedState> {
  if ((await readRevision(databases.main)) === state.snapshot.revision) return state;
  return (await followChanges(databases, kinds, state)) ?? buildState(databases, kinds);
}

/**
 * Reads all records without a transaction, because on SQLite it would block writers for seconds. Reads the revision
 * first, so that records written during the build are read again as changes.
 */
export async function buildState(databases: Databases, kinds: Kinds): Promise<PublishedState> {
  const built = await readState(databases.main, kinds);
  const current = await followChanges(databases, kinds, built);
  if (!current) throw new Error("The changes made during a full build cannot be followed");
  if (current === built) return built;
  return { ...current, notifications: [...built.notifications, ...current.notifications] };
}

/** Undefined when the changes since this state are incomplete: trimmed, too many, or from a different database. */
function followChanges(databases: Databases, kinds: Kinds, state: PublishedState): Promise<PublishedState | undefined> {
  return inConsistentView(databases, async (tx) => {
    const revision = await readRevision(tx);
    if (revision === state.snapshot.revision) return state;
    const changed = await readChangedIds(tx, state.snapshot.revision);
    return changed && applyChanges(tx, kinds, { ...state, notifications: [] }, changed, revision);
  });
}

/**
 * Changes and records must be read at the same point in time: a user after a write and a server before it could show
 * access that never existed. On SQLite any transaction blocks writers; on Postgres it needs repeatable read.
 */
export function inConsistentView<Result>(
  { dialect, main }: Databases,
  work: (tx: MainTransaction) => Promise<Result>,
): Promise<Result> {
  const transaction = main.transaction();
  if (dialect === "sqlite") return transaction.execute(work);
  return transaction.setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);
}

/** Each revision has at least one row, so if the next revision is missing, rows were trimmed. */
async function readChangedIds(tx: MainTransaction, afterRevision: number): Promise<ChangedIds | undefined> {
  const rows = await tx
    .selectFrom("changes")
    .select(["revision", "kind", "target_id"])
    .where("revision", ">", afterRevision)
    .orderBy("revision")
    .limit(FOLLOWED_CHANGES + 1)
    .execute();
  if (rows[0]?.revision !== afterRevision + 1 || rows.length > FOLLOWED_CHANGES) return undefined;
  const ids = new Map<string, Set<string>>();
  for (const { kind, target_id } of rows) {
    const known = ids.get(kind);
    if (known) known.add(target_id);
    else ids.set(kind, new Set([target_id]));
  }
  return ids;
}

async function readState(db: MainDb, kinds: Kinds): Promise<PublishedState> {
  const revision = await readRevision(db);
  let state = EMPTY_STATE;
  for (const kind of kinds) state = await kind.build(kind.read(db), state);
  return withRevision(state, revision);
}

/** All records at one point in time, as `PublishedKind.read` returned them. */
export interface StoredRecords {
  readonly revision: number;
  /** Since the records were last known to be current. */
  readonly ageMs: number;
  /** Pages by kind. */
  readonly records: ReadonlyMap<string, object[][]>;
}

export async function restoreState(
  kinds: Kinds,
  { revision, records }: Pick<StoredRecords, "revision" | "records">,
): Promise<PublishedState> {
  let state = EMPTY_STATE;
  for (const kind of kinds) state = await kind.build(records.get(kind.kind) ?? [], state);
  return withRevision(state, revision);
}

/** Ignores kinds that are not in the table: a newer release wrote them. */
async function applyChanges(
  tx: MainTransaction,
  kinds: Kinds,
  current: PublishedState,
  changed: ChangedIds,
  revision: number,
): Promise<PublishedState> {
  let state = current;
  for (const kind of kinds) {
    const ids = changed.get(kind.kind);
    if (ids) state = await kind.update(tx, state, ids);
  }
  return withRevision(state, revision);
}

function withRevision(state: PublishedState, revision: number): PublishedState {
  return { ...state, snapshot: { ...state.snapshot, revision } };
}

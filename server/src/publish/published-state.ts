import { emptySnapshot, nextSnapshot, type SnapshotChanges } from "#gateway/snapshot/next-snapshot";
import type { CredentialEntry, GroupEntry, ServerEntry, Snapshot, UserEntry } from "#gateway/snapshot/shape";
import { ShardedMap } from "#gateway/snapshot/sharded-map";
import { endedMcpSessions, mcpSessionsByIds } from "#records/mcp-sessions";
import { readSettings } from "#records/settings";
import type { Databases, MainDb, MainTransaction } from "#storage/database";
import type { McpSessionRow } from "#storage/session-tables";
import type { ChangeKind } from "#storage/tables";
import { FOLLOWED_CHANGES } from "#storage/trim-changes";
import { compileCredential, compileGroup, compileServer, compileUser, type Share } from "./compile.ts";
import { compileLimits } from "./compile-limits.ts";
import {
  type PublishedCredential,
  publishedCredentials,
  publishedGroups,
  publishedServers,
  publishedUsers,
} from "./published-records.ts";

/** The snapshot, and what only its maker needs. */
export interface PublishedState {
  readonly snapshot: Snapshot;
  /** The snapshot knows credentials by access key, changes name them by id. */
  readonly accessKeyById: ShardedMap<string>;
  /** Keys of the connections that changed since the state before this one; undefined: any may have. */
  readonly changedConnections: ReadonlySet<string> | undefined;
  /** What is new to say of mcp sessions since then. */
  readonly changedSessions: readonly McpSessionRow[];
}

const EMPTY_STATE: PublishedState = {
  snapshot: emptySnapshot,
  accessKeyById: ShardedMap.empty(),
  changedConnections: undefined,
  changedSessions: [],
};

/** As many as the gateway remembers to be ended. */
const MAX_SESSIONS = 100_000;

type ChangedIds = Readonly<Record<ChangeKind, ReadonlySet<string>>>;

export async function readRevision(db: MainDb): Promise<number> {
  const row = await db.selectFrom("change_counter").select("revision").where("id", "=", 1).executeTakeFirstOrThrow();
  return row.revision;
}

/** The state as the database has it now; the same object when nothing changed. */
export async function advanceState(databases: Databases, state: PublishedState): Promise<PublishedState> {
  if ((await readRevision(databases.main)) === state.snapshot.revision) return state;
  return (await followChanges(databases, state)) ?? buildState(databases);
}

/**
 * Reads everything without a transaction, because on SQLite one would keep writers out for seconds. The revision is
 * read first: whatever was written while we read is then read again as a change.
 */
export async function buildState(databases: Databases): Promise<PublishedState> {
  const read = await readState(databases.main);
  const current = await followChanges(databases, read);
  if (!current) throw new Error("The changes made during a full build cannot be followed");
  const changedSessions =
    current === read ? read.changedSessions : [...read.changedSessions, ...current.changedSessions];
  return { ...current, changedConnections: undefined, changedSessions };
}

/** Undefined when the changes since this state are not all there: trimmed, too many, or another database's. */
function followChanges(databases: Databases, state: PublishedState): Promise<PublishedState | undefined> {
  return inOneView(databases, async (tx) => {
    const revision = await readRevision(tx);
    if (revision === state.snapshot.revision) return state;
    const changed = await readChangedIds(tx, state.snapshot.revision);
    return changed && applyChanges(tx, state, changed, revision);
  });
}

/**
 * Changes and records must show one moment: a user from after a write beside a server from before it could make a
 * reach that never was. On SQLite a transaction of ours keeps writers out; Postgres is asked for a single view.
 */
function inOneView<Result>(
  { dialect, main }: Databases,
  work: (tx: MainTransaction) => Promise<Result>,
): Promise<Result> {
  const transaction = main.transaction();
  if (dialect === "sqlite") return transaction.execute(work);
  return transaction.setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);
}

/** Each revision has at least one row, so the next one's absence means that rows were trimmed. */
async function readChangedIds(tx: MainTransaction, afterRevision: number): Promise<ChangedIds | undefined> {
  const rows = await tx
    .selectFrom("changes")
    .select(["revision", "kind", "target_id"])
    .where("revision", ">", afterRevision)
    .orderBy("revision")
    .limit(FOLLOWED_CHANGES + 1)
    .execute();
  if (rows[0]?.revision !== afterRevision + 1 || rows.length > FOLLOWED_CHANGES) return undefined;
  const ids = {
    server: new Set<string>(),
    group: new Set<string>(),
    user: new Set<string>(),
    credential: new Set<string>(),
    connection: new Set<string>(),
    settings: new Set<string>(),
    session: new Set<string>(),
  };
  // A kind that this release does not know was written by a newer one, and concerns nothing that we publish.
  for (const row of rows) ids[row.kind]?.add(row.target_id);
  return ids;
}

async function readState(db: MainDb): Promise<PublishedState> {
  const revision = await readRevision(db);
  const limits = compileLimits(await readSettings(db));
  const groups = new Map<string, GroupEntry>();
  for await (const rows of publishedGroups.all(db)) {
    for (const row of rows) groups.set(row.id, compileGroup(row));
  }
  const shareGroupId: Share = (id) => groups.get(id)?.id ?? id;
  const servers = new Map<string, ServerEntry>();
  for await (const rows of publishedServers.all(db)) {
    for (const row of rows) servers.set(row.id, compileServer(row, shareGroupId));
  }
  const users = new Map<string, UserEntry>();
  for await (const rows of publishedUsers.all(db)) {
    for (const row of rows) users.set(row.id, compileUser(row, shareGroupId));
  }
  const credentials = new CredentialChanges(EMPTY_STATE, (id) => users.get(id)?.id ?? id);
  for await (const rows of publishedCredentials.all(db)) credentials.set(rows);
  const state = nextState(EMPTY_STATE, { revision, limits, servers, groups, users }, credentials);
  return { ...state, changedSessions: await endedMcpSessions(db, MAX_SESSIONS) };
}

/** Records that a change names and the database no longer has are gone. */
async function applyChanges(
  tx: MainTransaction,
  state: PublishedState,
  changed: ChangedIds,
  revision: number,
): Promise<PublishedState> {
  const { snapshot } = state;
  const limits = changed.settings.size > 0 ? compileLimits(await readSettings(tx)) : undefined;
  const groups = absent<GroupEntry>(changed.group);
  for await (const rows of publishedGroups.byIds(tx, changed.group)) {
    for (const row of rows) groups.set(row.id, compileGroup(row));
  }
  const shareGroupId: Share = (id) => (groups.get(id) ?? snapshot.groups.get(id))?.id ?? id;
  const servers = absent<ServerEntry>(changed.server);
  for await (const rows of publishedServers.byIds(tx, changed.server)) {
    for (const row of rows) servers.set(row.id, compileServer(row, shareGroupId));
  }
  const users = absent<UserEntry>(changed.user);
  for await (const rows of publishedUsers.byIds(tx, changed.user)) {
    for (const row of rows) users.set(row.id, compileUser(row, shareGroupId));
  }
  const credentials = new CredentialChanges(state, (id) => (users.get(id) ?? snapshot.usersById.get(id))?.id ?? id);
  credentials.forget(changed.credential);
  for await (const rows of publishedCredentials.byIds(tx, changed.credential)) credentials.set(rows);
  const changedSessions = changed.session.size > 0 ? await mcpSessionsByIds(tx, changed.session) : [];
  const next = nextState(state, { revision, limits, servers, groups, users }, credentials);
  return { ...next, changedConnections: changed.connection, changedSessions };
}

function absent<Entry>(ids: Iterable<string>): Map<string, Entry | undefined> {
  return new Map(Iterator.from(ids).map((id) => [id, undefined]));
}

/** Credentials by access key, together with the index that finds the key again when only the id is known. */
class CredentialChanges {
  readonly byAccessKey = new Map<string, CredentialEntry | undefined>();
  readonly accessKeyById = new Map<string, string | undefined>();
  readonly #state: PublishedState;
  readonly #shareUserId: Share;

  constructor(state: PublishedState, shareUserId: Share) {
    this.#state = state;
    this.#shareUserId = shareUserId;
  }

  forget(ids: Iterable<string>): void {
    for (const id of ids) {
      const accessKey = this.#state.accessKeyById.get(id);
      if (accessKey !== undefined) this.byAccessKey.set(accessKey, undefined);
      this.accessKeyById.set(id, undefined);
    }
  }

  set(rows: readonly PublishedCredential[]): void {
    for (const row of rows) {
      this.byAccessKey.set(row.access_key, compileCredential(row, this.#shareUserId));
      this.accessKeyById.set(row.id, row.access_key);
    }
  }
}

function nextState(
  state: PublishedState,
  changes: Omit<SnapshotChanges, "credentials">,
  credentials: CredentialChanges,
): PublishedState {
  return {
    changedConnections: undefined,
    changedSessions: [],
    snapshot: nextSnapshot(state.snapshot, { ...changes, credentials: credentials.byAccessKey }),
    accessKeyById: state.accessKeyById.with(credentials.accessKeyById),
  };
}

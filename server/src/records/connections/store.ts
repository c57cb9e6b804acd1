import type { NewId } from "#lib/ids";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { McpServerRow } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";
import type { ConnectionRow, UserRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";
import { type ConnectionSecret, sealConnection } from "./secret.ts";

/** The user and the server of a connection, as the audit log names them. */
export interface ConnectionEnds {
  readonly user: Pick<UserRow, "id" | "email">;
  readonly server: Pick<McpServerRow, "id" | "slug">;
}

/** Identifies a connection in change rows, whether or not it exists. */
export function connectionKey(userId: string, serverId: string): string {
  return `${userId} ${serverId}`;
}

export interface ConnectionMaking extends ConnectionEnds {
  readonly secret: ConnectionSecret;
  readonly expiresAt?: number | null;
  readonly scopes?: string[] | null;
  readonly issuer?: string | null;
  readonly resource?: string | null;
  readonly operation: string;
  readonly now: number;
  readonly newId: NewId;
  readonly vault: Vault;
}

/** Creates or replaces the connection. There is one per user and server. */
export async function saveConnection(
  tx: MainTransaction,
  trail: WriteTrail,
  making: ConnectionMaking,
): Promise<ConnectionRow> {
  const { user, server, now, operation } = making;
  for (;;) {
    const before = await lockConnection(tx, user.id, server.id);
    const row = rowOf(making, before);
    const saved = before ? await replace(tx, row) : await insert(tx, row);
    // A concurrent write created the connection, so it is replaced.
    if (!saved) continue;
    const target = { kind: "connection", id: row.id, name: nameOf(making) };
    trail.audit({ operation, target, ...(before ? { before: shown(before) } : {}), after: shown(row) });
    trail.changed("connection", connectionKey(user.id, server.id));
    return { ...row, updated_at: now };
  }
}

function rowOf(making: ConnectionMaking, before: ConnectionRow | undefined): ConnectionRow {
  const { user, server, secret, now, newId, vault } = making;
  const id = before?.id ?? newId("con");
  return {
    id,
    user_id: user.id,
    server_id: server.id,
    kind: secret.kind,
    state: "connected",
    sealed_credential: sealConnection(vault, id, secret),
    version: (before?.version ?? 0) + 1,
    connected_at: now,
    expires_at: making.expiresAt ?? null,
    scopes: making.scopes ?? null,
    needed_scopes: null,
    issuer: making.issuer ?? null,
    resource: making.resource ?? null,
    last_error: null,
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
}

async function replace(tx: MainTransaction, { id, ...row }: ConnectionRow): Promise<boolean> {
  await tx.updateTable("connections").set(row).where("id", "=", id).execute();
  return true;
}

async function insert(tx: MainTransaction, row: ConnectionRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("connections")
    .values(row)
    .onConflict((conflict) => conflict.columns(["user_id", "server_id"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findConnection(db: MainDb, userId: string, serverId: string): Promise<ConnectionRow | undefined> {
  return byEnds(db, userId, serverId).executeTakeFirst();
}

export async function lockConnection(
  tx: MainTransaction,
  userId: string,
  serverId: string,
): Promise<ConnectionRow | undefined> {
  return lockRows(tx, byEnds(tx, userId, serverId)).executeTakeFirst();
}

function byEnds(db: MainDb, userId: string, serverId: string) {
  return db.selectFrom("connections").selectAll().where("user_id", "=", userId).where("server_id", "=", serverId);
}

export interface ConnectionRenewal {
  readonly secret: ConnectionSecret;
  readonly expiresAt: number | null;
  readonly scopes?: string[] | null;
  readonly now: number;
  readonly vault: Vault;
}

type Versioned = Pick<ConnectionRow, "id" | "user_id" | "server_id" | "version">;

/**
 * Stores a renewed credential if the connection still has the version that was renewed. Returns false if a concurrent
 * write changed it. Without an audit row, because every token would add one each hour.
 */
export async function renewConnection(
  tx: MainTransaction,
  trail: WriteTrail,
  connection: Versioned,
  { secret, expiresAt, scopes, now, vault }: ConnectionRenewal,
): Promise<boolean> {
  return writeVersion(tx, trail, connection, {
    sealed_credential: sealConnection(vault, connection.id, secret),
    state: "connected",
    expires_at: expiresAt,
    ...(scopes === undefined ? {} : { scopes }),
    last_error: null,
    updated_at: now,
  });
}

/** Marks that the user must reconnect, with the reason. Returns false like `renewConnection`. */
export async function markReconnectNeeded(
  tx: MainTransaction,
  trail: WriteTrail,
  connection: Versioned & ConnectionEnds,
  { error, now }: { readonly error: string; readonly now: number },
): Promise<boolean> {
  const marked = await writeVersion(tx, trail, connection, {
    state: "reconnect_needed",
    last_error: error,
    updated_at: now,
  });
  if (marked) {
    trail.audit({
      operation: "endConnection",
      target: { kind: "connection", id: connection.id, name: nameOf(connection) },
      after: { state: "reconnect_needed", last_error: error },
    });
  }
  return marked;
}

/** Limits the row's size if a server requests different scopes with each call. */
const MOST_NEEDED_SCOPES = 50;

/** Adds the scopes that the server requested to those it requested before. */
export async function noteNeededScopes(
  tx: MainTransaction,
  connection: Pick<ConnectionRow, "user_id" | "server_id">,
  scopes: readonly string[],
): Promise<void> {
  const row = await lockConnection(tx, connection.user_id, connection.server_id);
  if (!row) return;
  const needed = [...new Set([...(row.needed_scopes ?? []), ...scopes])].slice(0, MOST_NEEDED_SCOPES);
  if (needed.length === row.needed_scopes?.length) return;
  await tx.updateTable("connections").set({ needed_scopes: needed }).where("id", "=", row.id).execute();
}

async function writeVersion(
  tx: MainTransaction,
  trail: WriteTrail,
  { id, user_id, server_id, version }: Versioned,
  changes: Partial<ConnectionRow>,
): Promise<boolean> {
  const written = await tx
    .updateTable("connections")
    .set({ ...changes, version: version + 1 })
    .where("id", "=", id)
    .where("version", "=", version)
    .returning("id")
    .executeTakeFirst();
  if (written) trail.changed("connection", connectionKey(user_id, server_id));
  return written !== undefined;
}

export async function deleteConnection(
  tx: MainTransaction,
  trail: WriteTrail,
  ends: ConnectionEnds,
  operation: string,
): Promise<ConnectionRow | undefined> {
  const gone = await tx
    .deleteFrom("connections")
    .where("user_id", "=", ends.user.id)
    .where("server_id", "=", ends.server.id)
    .returningAll()
    .executeTakeFirst();
  if (!gone) return undefined;
  trail.audit({
    operation,
    target: { kind: "connection", id: gone.id, name: nameOf(ends) },
    before: shown(gone),
  });
  trail.changed("connection", connectionKey(ends.user.id, ends.server.id));
  return gone;
}

/** Deletes all connections to this server (AZ-8). Returns how many there were. */
export async function deleteConnectionsOfServer(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
): Promise<number> {
  const gone = await tx.deleteFrom("connections").where("server_id", "=", serverId).returning("user_id").execute();
  trail.changed("connection", ...gone.map(({ user_id }) => connectionKey(user_id, serverId)));
  return gone.length;
}

/** Deletes all connections of this user. Returns how many there were. */
export async function deleteConnectionsOfUser(tx: MainTransaction, trail: WriteTrail, userId: string): Promise<number> {
  const gone = await tx.deleteFrom("connections").where("user_id", "=", userId).returning("server_id").execute();
  trail.changed("connection", ...gone.map(({ server_id }) => connectionKey(userId, server_id)));
  return gone.length;
}

/** Notes that this user's access to these servers may have changed, so that processes drop cached failures. */
export function noteConnectionsChanged(trail: WriteTrail, userId: string, serverIds: readonly string[]): void {
  trail.changed("connection", ...serverIds.map((serverId) => connectionKey(userId, serverId)));
}

/** In the order in which they were first made. */
export async function listConnectionsOfUser(db: MainDb, userId: string): Promise<ConnectionRow[]> {
  return db
    .selectFrom("connections")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** The state of each connection to this server, by user id. */
export async function connectionStatesOfServer(
  db: MainDb,
  serverId: string,
): Promise<ReadonlyMap<string, ConnectionRow["state"]>> {
  const rows = await db
    .selectFrom("connections")
    .select(["user_id", "state"])
    .where("server_id", "=", serverId)
    .execute();
  return new Map(rows.map((row) => [row.user_id, row.state]));
}

/** The number of connections of each of these users. Users without any are missing. */
export async function connectionCountsOfUsers(
  db: MainDb,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("connections")
    .select((is) => ["user_id", is.fn.countAll().as("count")])
    .where("user_id", "in", userIds)
    .groupBy("user_id")
    .execute();
  return new Map(rows.map((row) => [row.user_id, Number(row.count)]));
}

export interface ServerConnection extends Omit<ConnectionRow, "sealed_credential"> {
  readonly user_email: string;
}

/** In the order in which they were first made, without their secrets. */
export async function listConnectionsOfServer(
  db: MainDb,
  serverId: string,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<ServerConnection[]> {
  const rows = await db
    .selectFrom("connections")
    .innerJoin("users", "users.id", "connections.user_id")
    .selectAll("connections")
    .select("users.email as user_email")
    .where("server_id", "=", serverId)
    .orderBy("connections.created_at")
    .orderBy("connections.id")
    .offset(skip)
    .limit(limit)
    .execute();
  return rows.map(({ sealed_credential: _secret, ...row }) => row);
}

function nameOf({ user, server }: ConnectionEnds): string {
  return `${user.email} ${server.slug}`;
}

/** For the audit log, without the secret. */
function shown({ kind, state, connected_at, expires_at, scopes, issuer, resource }: ConnectionRow) {
  return { kind, state, connected_at, expires_at, scopes, issuer, resource };
}

/** The number of connections of each of these servers, by state. Servers without any are missing. */
export async function connectionCounts(
  db: MainDb,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<ConnectionRow["state"], number>>>> {
  if (serverIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("connections")
    .select((select) => ["server_id", "state", select.fn.countAll<number>().as("n")])
    .where("server_id", "in", serverIds)
    .groupBy(["server_id", "state"])
    .execute();
  const counts = new Map<string, Record<ConnectionRow["state"], number>>();
  for (const { server_id, state, n } of rows) {
    counts.set(server_id, { connected: 0, reconnect_needed: 0, ...counts.get(server_id), [state]: n });
  }
  return counts;
}

import { type RawBuilder, sql } from "kysely";
import type { MainDb } from "./database.ts";
import { KEY_ROTATION, type WriteContext, writeTransaction } from "./transaction.ts";
import { type Vault, VaultFault, type VaultPurpose } from "./vault.ts";

/** A column with sealed values. Its table has an `id`, which is the row that a value is bound to. */
export interface SealedColumn {
  readonly purpose: VaultPurpose;
  readonly table:
    | "credentials"
    | "mcp_servers"
    | "users"
    | "connections"
    | "identity_providers"
    | "oauth_clients"
    | "oauth_flows"
    | "upstream_sessions"
    | "oauth_artifacts"
    | "webhooks"
    | "guards"
    | "approvals"
    | "stored_results"
    | "agents"
    | "agent_sessions"
    | "exchange_credentials"
    | "log_destinations"
    | "emails";
  readonly column: string;
}

/** All sealed columns. A rotation of the data keys processes them (SEC-6). */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { purpose: "machine-secret", table: "credentials", column: "sealed_secret" },
  { purpose: "server-secret", table: "mcp_servers", column: "sealed_client_secret" },
  { purpose: "server-secret", table: "mcp_servers", column: "sealed_shared_headers" },
  { purpose: "client-credentials", table: "users", column: "sealed_client_credentials" },
  { purpose: "client-credentials", table: "identity_providers", column: "sealed_provider_secret" },
  { purpose: "connection", table: "connections", column: "sealed_credential" },
  { purpose: "server-secret", table: "oauth_clients", column: "sealed_client_secret" },
  { purpose: "connection", table: "oauth_flows", column: "sealed_verifier" },
  { purpose: "mcp-session", table: "upstream_sessions", column: "sealed_session" },
  { purpose: "oauth-artifact", table: "oauth_artifacts", column: "sealed_payload" },
  { purpose: "webhook-secret", table: "webhooks", column: "sealed_secret" },
  { purpose: "webhook-secret", table: "webhooks", column: "sealed_previous_secret" },
  { purpose: "webhook-secret", table: "guards", column: "sealed_headers" },
  { purpose: "approval", table: "approvals", column: "sealed_arguments" },
  { purpose: "stored-result", table: "stored_results", column: "sealed_text" },
  { purpose: "agent-secret", table: "agents", column: "sealed_provider" },
  { purpose: "agent-secret", table: "agents", column: "sealed_hook" },
  { purpose: "agent-secret", table: "agents", column: "sealed_platform" },
  { purpose: "agent-secret", table: "agent_sessions", column: "sealed_input" },
  { purpose: "exchanged-token", table: "exchange_credentials", column: "sealed_token" },
  { purpose: "webhook-secret", table: "log_destinations", column: "sealed_secrets" },
  { purpose: "email", table: "emails", column: "sealed_token" },
];

/** The number of values moved to the newest key, and of values left unchanged because they do not open. */
export interface Moved {
  readonly moved: number;
  readonly unopened: number;
}

export interface MovedSlice extends Moved {
  readonly lastId: string;
}

/** A slice is one transaction, so that other writers wait only briefly and `kill -9` loses little work. */
export const VALUES_PER_SLICE = 100;

/**
 * Seals the next values again that an older key sealed, in the order of their IDs. Undefined if there are none after
 * `afterId`.
 */
export async function resealSlice(
  context: WriteContext,
  sealed: SealedColumn,
  vault: Vault,
  afterId: string,
): Promise<MovedSlice | undefined> {
  const { table, column, purpose } = sealed;
  const older = vault.olderVersions(purpose);
  if (older.length === 0) return undefined;
  const value = sql.ref<string>(column);
  const rows = await context.db
    .selectFrom(table)
    .select(["id", value.as("sealed")])
    .where("id", ">", afterId)
    .where((where) => where.or(older.map((version) => isSealedWith(value, version))))
    .orderBy("id")
    .limit(VALUES_PER_SLICE)
    .execute();
  const lastId = rows.at(-1)?.id;
  if (lastId === undefined) return undefined;
  const fresh = rows.flatMap((row) => {
    const resealedValue = resealed(vault, purpose, { table, row: row.id, column }, row.sealed);
    return resealedValue === undefined ? [] : [{ ...row, resealedValue }];
  });
  const { result: moved } = await writeTransaction(context, KEY_ROTATION, async (tx) => {
    let count = 0;
    for (const { id, sealed: before, resealedValue } of fresh) {
      // A concurrent write wins.
      const update = sql`update ${sql.table(table)} set ${value} = ${resealedValue} where id = ${id} and ${value} = ${before}`;
      count += Number((await update.execute(tx)).numAffectedRows);
    }
    return count;
  });
  return { moved, unopened: rows.length - fresh.length, lastId };
}

/** Number of values sealed with each version. */
export async function countSealed(db: MainDb, { table, column }: SealedColumn, versions: readonly number[]) {
  const value = sql.ref<string>(column);
  const counts = new Map<number, number>();
  let counted = 0;
  for (const version of versions) {
    const count = await countWhere(db, table, isSealedWith(value, version));
    counts.set(version, count);
    counted += count;
  }
  const all = await countWhere(db, table, sql<boolean>`${value} is not null`);
  return { counts, underUnknownKeys: all - counted };
}

async function countWhere(db: MainDb, table: SealedColumn["table"], condition: RawBuilder<boolean>): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((expression) => expression.fn.countAll().as("count"))
    .where(condition)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Undefined if the value does not open: the vault has logged an error, and the value stays unchanged. */
function resealed(vault: Vault, ...[purpose, place, sealed]: Parameters<Vault["open"]>): string | undefined {
  try {
    return vault.seal(purpose, place, vault.open(purpose, place, sealed));
  } catch (error) {
    if (error instanceof VaultFault) return undefined;
    throw error;
  }
}

function isSealedWith(value: RawBuilder<string>, version: number): RawBuilder<boolean> {
  return sql<boolean>`${value} like ${`${version}.%`}`;
}

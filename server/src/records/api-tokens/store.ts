import { hash } from "node:crypto";
import { mayIssue, revokeIssued } from "#records/issuers";
import { unlessDiskFull } from "#storage/constraints";
import type { MainDb, MainTransaction } from "#storage/database";
import type { Role } from "#storage/sign-in-tables";
import type { WriteTrail } from "#storage/transaction";
import type { ApiTokenRow } from "#storage/user-tables";

/** A plain hash is enough, because tokens are random. */
export function apiTokenHash(token: string): string {
  return hash("sha256", token);
}

export interface ShownApiToken extends ApiTokenRow {
  /** The email of the responsible person. Null: none. */
  readonly responsible_email: string | null;
}

/** Compiled once, because every request with an API token runs it. */
const tokenQueries = new WeakMap<MainDb, ReturnType<typeof tokenQuery>>();

function tokenQuery(db: MainDb) {
  return withResponsible(db).select(["users.role", "users.disabled"]).where("token_hash", "=", "").compile();
}

/**
 * Undefined if the token is unknown, or the responsible person can no longer create it. Such tokens are deleted when the
 * permission ends; this check does not rely on that.
 */
export async function findApiToken(db: MainDb, token: string): Promise<ApiTokenRow | undefined> {
  const query = tokenQueries.get(db) ?? tokenQuery(db);
  tokenQueries.set(db, query);
  const bound: typeof query = { ...query, parameters: [apiTokenHash(token)] };
  const [row] = (await db.executeQuery(bound)).rows;
  return row && mayBeIssued(row) ? row : undefined;
}

type IssuedToken = Pick<ApiTokenRow, "responsible_id"> & {
  readonly role: Role | null;
  readonly disabled: boolean | null;
};

/** Whether the responsible person could create the token now. */
function mayBeIssued({ responsible_id, role, disabled }: IssuedToken): boolean {
  return !responsible_id || (role !== null && disabled !== null && mayIssue({ role, disabled }, "all"));
}

function isExpired({ expires_at }: Pick<ApiTokenRow, "expires_at">, now: number): boolean {
  return expires_at !== null && expires_at <= now;
}

/** Of these tokens, those that would be accepted now. */
export async function validTokenIds(db: MainDb, ids: readonly string[], now: number): Promise<ReadonlySet<string>> {
  const tokens = withResponsible(db).select(["users.role", "users.disabled"]).where("api_tokens.id", "in", ids);
  const rows = await tokens.execute();
  return new Set(rows.filter((row) => !isExpired(row, now) && mayBeIssued(row)).map(({ id }) => id));
}

export async function findApiTokenById(db: MainDb, id: string): Promise<ShownApiToken | undefined> {
  return withResponsible(db).where("api_tokens.id", "=", id).executeTakeFirst();
}

function withResponsible(db: MainDb) {
  return db
    .selectFrom("api_tokens")
    .leftJoin("users", "users.id", "api_tokens.responsible_id")
    .selectAll("api_tokens")
    .select("users.email as responsible_email");
}

export async function listApiTokens(
  db: MainDb,
  { skip, limit }: { skip: number; limit: number },
): Promise<ShownApiToken[]> {
  return withResponsible(db)
    .orderBy("api_tokens.created_at")
    .orderBy("api_tokens.id")
    .offset(skip)
    .limit(limit)
    .execute();
}

export async function countApiTokens(db: MainDb): Promise<number> {
  const { n } = await db
    .selectFrom("api_tokens")
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

/** Valid tokens that have this scope itself, not only one that includes it. */
export async function countTokensWithScope(db: MainDb, scope: string, now: number): Promise<number> {
  const rows = await withResponsible(db).select(["users.role", "users.disabled"]).execute();
  return rows.filter((row) => row.scopes.includes(scope) && !isExpired(row, now) && mayBeIssued(row)).length;
}

export async function insertApiToken(tx: MainTransaction, row: ApiTokenRow): Promise<void> {
  await tx.insertInto("api_tokens").values(row).execute();
}

export async function deleteApiToken(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("api_tokens").where("id", "=", id).execute();
}

/** Deletes the API tokens and pending invitations that were created with this token, and with those tokens. */
export async function deleteCreatedWith(tx: MainTransaction, trail: WriteTrail, id: string): Promise<void> {
  for (let creatorIds: readonly string[] = [id]; creatorIds.length > 0; ) {
    creatorIds = (await revokeIssued(tx, trail, { creatorIds }, "deleted with the token that created it")).tokenIds;
  }
}

/** Rounded to the minute, so that a busy token causes one write per minute. */
export async function touchApiToken(db: MainDb, token: ApiTokenRow, now: number): Promise<void> {
  if (token.last_used_at !== null && now - token.last_used_at < 60_000) return;
  const touched = db.updateTable("api_tokens").set({ last_used_at: now }).where("id", "=", token.id);
  await unlessDiskFull(touched.execute());
}

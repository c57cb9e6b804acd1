import type { MainDb } from "#storage/database";
import type { ExchangeCredentialRow } from "#storage/exchange-tables";

export interface CredentialFilter {
  readonly userId?: string | undefined;
  readonly providerId?: string | undefined;
  /** Live, or ended and expired. */
  readonly active?: boolean | undefined;
}

const SHOWN = [
  ...(["id", "subject", "client_id", "token_prefix", "scopes", "resource_path", "created_at"] as const),
  ...(["expires_at", "last_used_at", "revoked_at", "end_reason", "ip", "user_id"] as const),
] as const;

export interface ExchangeCredentialWithNames extends Pick<ExchangeCredentialRow, (typeof SHOWN)[number]> {
  readonly provider: string;
  readonly user_email: string;
}

function withNames(db: MainDb) {
  return db
    .selectFrom("exchange_credentials as c")
    .innerJoin("exchange_providers as p", "p.id", "c.provider_id")
    .innerJoin("users as u", "u.id", "c.user_id")
    .select(SHOWN.map((column) => `c.${column}` as const))
    .select(["p.slug as provider", "u.email as user_email"]);
}

/** Newest first. */
export async function listCredentials(
  db: MainDb,
  { userId, providerId, active }: CredentialFilter,
  { skip, limit, now }: { readonly skip: number; readonly limit: number; readonly now: number },
): Promise<ExchangeCredentialWithNames[]> {
  let query = withNames(db);
  if (userId !== undefined) query = query.where("c.user_id", "=", userId);
  if (providerId !== undefined) query = query.where("c.provider_id", "=", providerId);
  if (active === true) query = query.where("c.revoked_at", "is", null).where("c.expires_at", ">", now);
  if (active === false) {
    query = query.where((is) => is.or([is("c.revoked_at", "is not", null), is("c.expires_at", "<=", now)]));
  }
  return query.orderBy("c.created_at", "desc").orderBy("c.id", "desc").offset(skip).limit(limit).execute();
}

export async function findCredentialWithNames(
  db: MainDb,
  id: string,
): Promise<ExchangeCredentialWithNames | undefined> {
  return withNames(db).where("c.id", "=", id).executeTakeFirst();
}

/** The number of live credentials, by provider ID. */
export async function countLiveCredentials(
  db: MainDb,
  providerIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (providerIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("exchange_credentials")
    .select((select) => ["provider_id", select.fn.countAll<number>().as("n")])
    .where("provider_id", "in", providerIds)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .groupBy("provider_id")
    .execute();
  return new Map(rows.map(({ provider_id, n }) => [provider_id, n]));
}

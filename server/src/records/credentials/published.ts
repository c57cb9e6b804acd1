import type { MainDb } from "#storage/database";
import type { CredentialRow } from "#storage/tables";

/** What the gateway must know of a credential: of the secret only its verifier, and nothing of a revoked one. */
export type PublishedCredential = Pick<
  CredentialRow,
  "id" | "kind" | "user_id" | "access_key" | "verifier" | "pepper_version" | "expires_at"
>;

/** One page, by id, for a full build; the first page comes after "". */
export function publishedCredentialsAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedCredential[]> {
  return liveCredentials(db).where("id", ">", afterId).orderBy("id").limit(limit).execute();
}

/** At most 500 ids at a time; credentials that are gone or revoked are missing from the answer. */
export function publishedCredentialsByIds(db: MainDb, ids: readonly string[]): Promise<PublishedCredential[]> {
  return liveCredentials(db).where("id", "in", ids).execute();
}

function liveCredentials(db: MainDb) {
  return db
    .selectFrom("credentials")
    .select(["id", "kind", "user_id", "access_key", "verifier", "pepper_version", "expires_at"])
    .where("revoked_at", "is", null);
}

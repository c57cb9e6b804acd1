import type { MainDb } from "#storage/database";
import type { CredentialRow } from "#storage/user-tables";

const PUBLISHED = [
  "id",
  "kind",
  "user_id",
  "access_key",
  "verifier",
  "pepper_version",
  "previous_verifier",
  "previous_pepper_version",
  "previous_expires_at",
  "expires_at",
  "client_id",
  "resource_path",
  "server_id",
  "toolkit",
] as const;

/** The part of a credential that the gateway needs. Contains verifiers instead of secrets, and no revoked credentials. */
export type PublishedCredential = Pick<CredentialRow, (typeof PUBLISHED)[number]>;

/** One page, by id, for a full build. The first page comes after "". */
export function publishedCredentialsAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedCredential[]> {
  return liveCredentials(db).where("id", ">", afterId).orderBy("id").limit(limit).execute();
}

/** At most 500 ids at a time. Deleted and revoked credentials are missing from the result. */
export function publishedCredentialsByIds(db: MainDb, ids: readonly string[]): Promise<PublishedCredential[]> {
  return liveCredentials(db).where("id", "in", ids).execute();
}

function liveCredentials(db: MainDb) {
  return db.selectFrom("credentials").select(PUBLISHED).where("revoked_at", "is", null);
}

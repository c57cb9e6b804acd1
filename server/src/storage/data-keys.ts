import type { MainDb } from "./database.ts";

/** The keys under which secrets are sealed, without the keys themselves. */
export function listDataKeys(db: MainDb) {
  return db
    .selectFrom("vault_keys")
    .select(["purpose", "version", "wrapping_key_id", "created_at"])
    .orderBy("purpose")
    .orderBy("version")
    .execute();
}

import type { MainDb } from "./database.ts";

/** The metadata of the data keys, without the keys. */
export function listDataKeys(db: MainDb) {
  return db
    .selectFrom("vault_keys")
    .select(["purpose", "version", "wrapping_key_id", "created_at"])
    .orderBy("purpose")
    .orderBy("version")
    .execute();
}

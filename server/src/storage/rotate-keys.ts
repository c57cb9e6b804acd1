import { lockRows } from "./lock-rows.ts";
import { insertDataKeys, readNewDataKeys } from "./open-vault.ts";
import { type AuditEntry, KEY_ROTATION, type WriteContext, writeTransaction } from "./transaction.ts";
import { VAULT_PURPOSES, type Vault } from "./vault.ts";
import { unwrapKey, type WrappingKey, wrapKey } from "./wrapping-key.ts";

/**
 * SEC-5: wraps every data key with the current wrapping key, all or none, and returns how many were changed. Running
 * processes are not affected, because they hold the unwrapped data keys, which stay the same.
 */
export async function rewrapDataKeys(context: WriteContext, keys: readonly WrappingKey[]): Promise<number> {
  const [current] = keys;
  if (!current) return 0;
  const { result } = await writeTransaction(context, KEY_ROTATION, async (tx, trail) => {
    const query = tx.selectFrom("vault_keys").selectAll().where("wrapping_key_id", "!=", current.id);
    const rows = await lockRows(tx, query.orderBy("purpose").orderBy("version")).execute();
    for (const row of rows) {
      await tx
        .updateTable("vault_keys")
        .set({ wrapping_key_id: current.id, wrapped_key: wrapKey(current, row, unwrapKey(keys, row)) })
        .where("purpose", "=", row.purpose)
        .where("version", "=", row.version)
        .execute();
    }
    const before = [...new Set(rows.map((row) => row.wrapping_key_id))];
    if (rows.length > 0) trail.audit(keysAudit("rewrapDataKeys", { wrapped_by: before }, { wrapped_by: [current.id] }));
    return rows.length;
  });
  return result;
}

/** Newer data keys belong to the rotation in progress: a run that was killed, or a concurrent one. */
const ONE_ROTATION_MS = 60 * 60 * 1000;

/**
 * SEC-6: adds a data key for every purpose, unless there is a recent one. It is used for sealing only after
 * `KEY_ACTIVATION_DELAY_MS`.
 */
export async function addDataKeys(context: WriteContext, keys: readonly WrappingKey[], vault: Vault): Promise<boolean> {
  const { result } = await writeTransaction(context, KEY_ROTATION, async (tx, trail) => {
    const existing = await tx.selectFrom("vault_keys").selectAll().orderBy("version").execute();
    const now = context.clock.now();
    if (existing.some(({ version, created_at }) => version > 1 && created_at > now - ONE_ROTATION_MS)) return false;
    const newest = Object.fromEntries(existing.map(({ purpose, version }) => [purpose, version]));
    const next = VAULT_PURPOSES.map((purpose) => ({ purpose, version: (newest[purpose] ?? 0) + 1 }));
    await insertDataKeys(tx, next, keys, now);
    trail.audit(keysAudit("addDataKeys", newest, Object.fromEntries(next.map((key) => [key.purpose, key.version]))));
    return true;
  });
  await readNewDataKeys(context.db, keys, vault);
  return result;
}

function keysAudit(operation: string, before: object, after: object): AuditEntry {
  return { operation, target: { kind: "vault", id: "vault", name: "Vault" }, before, after };
}

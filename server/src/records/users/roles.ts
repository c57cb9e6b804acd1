import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { Role } from "#storage/sign-in-tables";
import type { UserRow } from "#storage/user-tables";

/** Changes to owners and admins require more than `admin:write` (decision 0009). */
export function mayManage(role: Role): boolean {
  return role === "owner" || role === "admin";
}

export async function hasOwner(db: MainDb): Promise<boolean> {
  return (await owners(db).executeTakeFirst()) !== undefined;
}

export const LAST_OWNER_MESSAGE = "the last owner cannot be removed";

/** Whether the user is the only enabled owner. Locks the owners, so that two concurrent removals are checked in sequence. */
export async function isLastOwner(tx: MainTransaction, user: UserRow): Promise<boolean> {
  if (user.role !== "owner" || user.disabled) return false;
  const rows = await lockRows(tx, owners(tx).orderBy("id")).execute();
  return rows.every(({ id }) => id === user.id);
}

function owners(db: MainDb) {
  return db.selectFrom("users").select("id").where("role", "=", "owner").where("disabled", "=", false);
}

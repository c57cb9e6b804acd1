import { Refusal } from "#lib/errors";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { Role } from "#storage/sign-in-tables";
import type { Actor } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";

/** The scope that creating a record requires. */
type Needed = "all" | "admin:write";

/**
 * The rule of decision 0057: an API token or an invitation is valid as long as the responsible person could create it.
 * The roles match the scopes of `api/kit/scopes.ts`.
 */
export function mayIssue({ role, disabled }: Pick<UserRow, "role" | "disabled">, needed: Needed): boolean {
  return !disabled && rolesThatIssue(needed).includes(role);
}

export function rolesThatIssue(needed: Needed): readonly Role[] {
  return needed === "all" ? ["owner"] : ["owner", "admin"];
}

/** The ID of the person who is responsible for what the actor creates. Null: the operator. */
export async function responsibleFor(db: MainDb, { kind, id }: Actor): Promise<string | null> {
  if (kind === "user") return id;
  if (kind === "system") return null;
  const token = await db.selectFrom("api_tokens").select("responsible_id").where("id", "=", id).executeTakeFirst();
  // Deleted after the request was authenticated.
  if (!token) throw new Refusal("unauthenticated", "the token was deleted");
  return token.responsible_id ?? null;
}

/**
 * Returns the responsible person's ID. Their row stays locked until the transaction ends, so that nothing is created
 * while they lose the permission.
 */
export async function lockIssuer(tx: MainTransaction, actor: Actor, needed: Needed): Promise<string | null> {
  const id = await responsibleFor(tx, actor);
  if (id === null) return null;
  const person = tx.selectFrom("users").select(["role", "disabled"]).where("id", "=", id);
  const row = await lockRows(tx, person).executeTakeFirst();
  if (row && mayIssue(row, needed)) return id;
  throw new Refusal("forbidden", `Insufficient permissions: requires ${needed}`);
}

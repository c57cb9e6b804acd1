import { isEmail, isSameAddress } from "#lib/email";
import { findMachineUserBySlug, findUser, findUserById, mayManage } from "#records/users";
import type { MainDb } from "#storage/database";
import type { ExchangeDefinition } from "#storage/exchange-tables";
import type { UserRow } from "#storage/user-tables";
import { type Claims, shownClaim, textClaim } from "./claims.ts";
import { subjectOf } from "./subject.ts";

/** The user that a token selects. The details are for admins only. */
export type ResolvedUser =
  | { readonly kind: "user"; readonly user: UserRow; readonly detail: string }
  /** A person who is created by the exchange. */
  | { readonly kind: "new"; readonly email: string; readonly name: string; readonly detail: string }
  | { readonly kind: "none"; readonly detail: string };

const MAX_NAME_LENGTH = 255;

export async function resolveUser(
  db: MainDb,
  { subject, provision }: ExchangeDefinition,
  claims: Claims,
): Promise<ResolvedUser> {
  if (subject.mode === "fixed") return fixedUser(await findUserById(db, subject.machine_user_id));
  const found = subjectOf({ subject }, claims);
  if (!found) return none("the token names no subject");
  const shown = shownClaim(found.value);
  const user = await userOf(db, subject.match, found.value);
  if (user) return isUsable(user, subject.allow_admins);
  if (subject.match === "slug") return none(`no machine user has the slug ${shown}`);
  const isNew = provision.create_users && subject.match === "email" && isEmail(found.value);
  if (!isNew || (await findUser(db, found.value))) return none(`no user has the ${subject.match} ${shown}`);
  const name = (textClaim(claims, "name")?.trim() ?? found.value).slice(0, MAX_NAME_LENGTH).toWellFormed();
  return { kind: "new", email: found.value, name, detail: `creates the user ${shown}` };
}

async function userOf(db: MainDb, match: "email" | "slug" | "external_id", value: string) {
  if (match === "slug") return findMachineUserBySlug(db, value);
  // The keys of user records fold more characters than the case of ASCII letters, which would be another mailbox.
  const user = isEmail(value) ? await findUser(db, value) : undefined;
  return user && !user.is_machine_user && isSameAddress(user.email, value) ? user : undefined;
}

function fixedUser(user: UserRow | undefined): ResolvedUser {
  if (!user) return none("the machine user of this provider was deleted");
  return user.is_machine_user ? isUsable(user, false) : none("the user of this provider is not a machine user");
}

/** An issuer that can name any email must not act as the people who manage the organization (decision 0110). */
function isUsable(user: UserRow, allowsAdmins: boolean): ResolvedUser {
  if (user.disabled) return none(`${user.email} is disabled`);
  if (mayManage(user.role) && !allowsAdmins) {
    return none(`${user.email} has the role ${user.role}, which this provider does not allow`);
  }
  return { kind: "user", user, detail: user.email };
}

function none(detail: string): ResolvedUser {
  return { kind: "none", detail };
}

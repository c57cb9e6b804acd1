import { isEmail, isSameAddress } from "#lib/email";
import { findMachineUserBySlug, findUser, findUserByExternalId, findUserById, mayManage } from "#records/users";
import type { MainDb } from "#storage/database";
import type { ExchangeDefinition, ExchangeSubject, SubjectMatch } from "#storage/exchange-tables";
import type { UserRow } from "#storage/user-tables";
import { type Claims, shownClaim, textClaim } from "./claims.ts";
import { isEmailVerified, subjectOf } from "./subject.ts";

/** The user that a token selects. The details are for admins only. */
export type ResolvedUser =
  | { readonly kind: "user"; readonly user: UserRow; readonly detail: string }
  /** A person who is created by the exchange. */
  | {
      readonly kind: "new";
      readonly email: string;
      readonly name: string;
      readonly externalId: string | null;
      readonly detail: string;
    }
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
  const isExternal = subject.match === "external_id";
  const email = isExternal ? newEmail(subject, claims) : found.value;
  const unknown = none(`no user has the ${subject.match} ${shown}`);
  if (!provision.create_users || email === undefined || !isEmail(email)) return unknown;
  if (await findUser(db, email)) {
    // A concurrent exchange may have created the person. Otherwise the account is not taken over by its email alone.
    const created = await userOf(db, subject.match, found.value);
    return created ? isUsable(created, subject.allow_admins) : unknown;
  }
  const name = (textClaim(claims, "name")?.trim() ?? email).slice(0, MAX_NAME_LENGTH).toWellFormed();
  const externalId = isExternal ? found.value : null;
  return { kind: "new", email, name, externalId, detail: `creates the user ${shownClaim(email)}` };
}

/** The email of a person who is created for an external ID. */
function newEmail(subject: Extract<ExchangeSubject, { mode: "map" }>, claims: Claims): string | undefined {
  const value = textClaim(claims, "email");
  const byEmail = { ...subject, match: "email" } as const;
  const isRefused = value && isEmailVerified({ subject: byEmail }, claims, { claim: "email", value }) === false;
  return isRefused ? undefined : value;
}

async function userOf(db: MainDb, match: SubjectMatch, value: string) {
  if (match === "slug") return findMachineUserBySlug(db, value);
  if (match === "external_id") {
    const person = await findUserByExternalId(db, value, false);
    const machine = await findUserByExternalId(db, value, true);
    return person && machine ? undefined : (person ?? machine);
  }
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

import { fold } from "#lib/fold";
import type { NewId } from "#lib/ids";
import { endTokensOfPerson } from "#records/credentials";
import { joinAutoAssignGroups } from "#records/groups";
import { voidInvitation } from "#records/invitations";
import {
  deleteUser,
  findUser,
  insertPerson,
  isLastOwner,
  lockPerson,
  mayManage,
  newUserRow,
  type PersonKey,
  updateUser,
  userSearchText,
} from "#records/users";
import type { MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { endEverywhere } from "../end-everywhere.ts";
import { notUnique, ScimError } from "./scim-error.ts";
import { DEFAULT_EMAIL_TYPE, emptyDraft, type ScimUserFields, type UserDraft } from "./user-draft.ts";

/** A write of the identity provider. */
export interface ScimWrite {
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
  readonly now: number;
  readonly newId: NewId;
  /** Whose email, user name and ID of the provider the token can change: they decide who signs in as the person. */
  readonly identifies: "none" | "members" | "everyone";
}

const LAST_OWNER = "is the last owner of the organization. Make another person an owner first.";

/** The attributes of a person before a change. */
export function draftOf(row: UserRow): UserDraft {
  const { displayName, formatted, givenName, familyName, emailType } = row.scim_profile ?? {};
  return {
    ...emptyDraft(),
    userName: row.user_name ?? row.email,
    externalId: row.external_id ?? null,
    displayName: row.provisioned_by == null ? row.name : (displayName ?? null),
    formatted: formatted ?? null,
    givenName: givenName ?? null,
    familyName: familyName ?? null,
    active: !row.suspended,
    emails: [{ value: row.email, type: emailType ?? DEFAULT_EMAIL_TYPE, primary: true }],
  };
}

/**
 * Creates a person, or takes over the one whose email is the given user name or email, if no provider manages them yet
 * (decision 0116).
 */
export async function createUser(write: ScimWrite, fields: ScimUserFields): Promise<string> {
  const { tx, trail, now, newId } = write;
  const existing = await findExisting(tx, fields);
  if (existing) {
    await saveUser(write, existing, fields);
    return existing.id;
  }
  const id = newId("usr");
  rejectIdentityChange(write, undefined, fields);
  await rejectTaken(tx, id, fields);
  await insertPerson(tx, trail, {
    ...newUserRow(id, fields.name, fields.email, now),
    ...columnsOf(fields),
    disabled: !fields.active,
    suspended: !fields.active,
  });
  await joinAutoAssignGroups(tx, trail, "auto_assign_users", id);
  trail.audit({ operation: "scimCreateUser", target: targetOf(id, fields.email), after: shownFields(fields) });
  return id;
}

/** Someone else's account must not be taken over through a user name, so both must find the same person. */
async function findExisting(tx: MainTransaction, { userName, email }: ScimUserFields): Promise<UserRow | undefined> {
  const byName = await lockPerson(tx, { by: "userName", value: userName });
  const byEmail = await lockPerson(tx, { by: "email", value: email });
  if (byName?.provisioned_by != null) throw notUnique(`userName: ${userName} is already provisioned`);
  if (byEmail?.provisioned_by != null) throw notUnique(`emails: ${email} is already provisioned`);
  if (byName && byEmail && byName.id !== byEmail.id) {
    throw notUnique(`userName and emails belong to different people: ${byName.email}, ${byEmail.email}`);
  }
  return byName ?? byEmail;
}

/** Saves what the provider manages. Does nothing if nothing changes. */
export async function saveUser(write: ScimWrite, row: UserRow, fields: ScimUserFields): Promise<void> {
  const { tx, trail, now } = write;
  const before = shownRow(row);
  const after = shownFields(fields);
  if (row.provisioned_by != null && JSON.stringify(before) === JSON.stringify(after)) return;
  rejectIdentityChange(write, row, fields);
  await rejectTaken(tx, row.id, fields);
  const isSuspended = !fields.active;
  if (isSuspended && (await isLastOwner(tx, row))) {
    throw new ScimError(400, `active: ${row.email} ${LAST_OWNER}`, "mutability");
  }
  await updateUser(tx, trail, row.id, {
    ...columnsOf(fields),
    name: fields.name,
    email: fields.email,
    email_key: fold(fields.email),
    search_text: userSearchText(fields.name, fields.email),
    ...statusOf(row, isSuspended),
    updated_at: now,
  });
  const hasNewEmail = fold(fields.email) !== row.email_key;
  // An invitation that was sent to the old email must not open the account.
  if (isSuspended || hasNewEmail) await voidInvitation(tx, row.id);
  const ended = isSuspended && !row.suspended ? await endAccess(write, row.id) : {};
  trail.audit({
    operation: "scimUpdateUser",
    target: targetOf(row.id, fields.email),
    before: { ...before, provisioned_by: row.provisioned_by ?? null },
    after: { ...after, provisioned_by: "scim", ...ended },
  });
}

/** F55: connections stay sealed and cannot be used while the person is disabled. */
async function endAccess({ tx, trail }: ScimWrite, userId: string) {
  const ended = await endEverywhere({ tx, trail }, userId);
  await endTokensOfPerson(tx, trail, userId);
  return ended;
}

/** A person that an admin disabled stays disabled when the provider reactivates them. */
function statusOf(row: UserRow, isSuspended: boolean): Partial<UserRow> {
  if (isSuspended === row.suspended) return {};
  return isSuspended
    ? { suspended: true, disabled: true, disabled_by_admin: row.disabled }
    : { suspended: false, disabled: row.disabled_by_admin, disabled_by_admin: false };
}

export async function removeUser({ tx, trail }: ScimWrite, row: UserRow): Promise<void> {
  if (await isLastOwner(tx, row)) throw new ScimError(400, `${row.email} ${LAST_OWNER}`, "mutability");
  await deleteUser(tx, trail, row.id);
  const before = { ...shownRow(row), provisioned_by: row.provisioned_by ?? null, role: row.role };
  trail.audit({ operation: "scimDeleteUser", target: targetOf(row.id, row.email), before });
}

/**
 * Whoever can change how people are identified can act as them. For owners and admins that requires the scope `all` (decision
 * 0009), except setting the ID of the provider for the first time; for others `admin:scim`, not only `admin:write`
 * (decision 0056).
 */
function rejectIdentityChange({ identifies }: ScimWrite, row: UserRow | undefined, fields: ScimUserFields): void {
  if (identifies === "everyone") return;
  const isAdmin = row !== undefined && mayManage(row.role);
  if (identifies === "members" && !isAdmin) return;
  const attribute = changedIdentity(row, fields, identifies === "members");
  if (attribute === undefined) return;
  const who = isAdmin ? `an ${row.role}` : "a person";
  const scope = isAdmin ? "all" : "admin:scim";
  throw new ScimError(403, `${attribute}: changing it for ${who} requires an API token with the scope ${scope}`);
}

/** The first attribute that identifies the person otherwise than before. New people are identified by their email. */
function changedIdentity(
  row: UserRow | undefined,
  { email, userName, externalId }: ScimUserFields,
  allowsFirstId: boolean,
): string | undefined {
  const emailBefore = row?.email ?? email;
  const idBefore = row?.external_id ?? null;
  if (fold(emailBefore) !== fold(email)) return "email";
  if (idBefore !== externalId && !(allowsFirstId && idBefore === null)) return "externalId";
  // A user name links the account of the person to the next one that the provider creates.
  const nameBefore = row?.user_name ?? emailBefore;
  return !allowsFirstId && fold(nameBefore) !== fold(userName) ? "userName" : undefined;
}

async function rejectTaken(tx: MainTransaction, id: string, { userName, email, externalId }: ScimUserFields) {
  const holder = await findUser(tx, email);
  if (holder && holder.id !== id) {
    const whose = holder.is_machine_user ? "a machine user" : "another person";
    throw notUnique(`emails: ${email} belongs to ${whose}`);
  }
  const keys: PersonKey[] = [{ by: "userName", value: userName }];
  if (externalId !== null) keys.push({ by: "externalId", value: externalId });
  for (const key of keys) {
    const other = await lockPerson(tx, key);
    if (other && other.id !== id) throw notUnique(`${key.by}: ${key.value} belongs to another person`);
  }
}

function columnsOf({ userName, externalId, profile }: ScimUserFields) {
  return {
    provisioned_by: "scim" as const,
    user_name: userName,
    user_name_key: fold(userName),
    external_id: externalId,
    scim_profile: { ...profile },
  };
}

function targetOf(id: string, name: string) {
  return { kind: "user", id, name };
}

function shownFields({ userName, externalId, name, email, active, profile }: ScimUserFields) {
  return { userName, name, email, external_id: externalId, active, profile: sorted(profile) };
}

function shownRow(row: UserRow): ReturnType<typeof shownFields> {
  return {
    userName: row.user_name ?? row.email,
    name: row.name,
    email: row.email,
    external_id: row.external_id ?? null,
    active: !row.suspended,
    profile: sorted(row.scim_profile ?? {}),
  };
}

/** The databases keep the order of members differently. */
function sorted(profile: object): Record<string, string> {
  return Object.fromEntries(Object.entries(profile).sort(([one], [other]) => (one < other ? -1 : 1)));
}

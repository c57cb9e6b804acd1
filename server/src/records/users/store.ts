import { externalIdTaken } from "#lib/errors";
import { fold } from "#lib/fold";
import { firstFreeAttempt, slugCandidate } from "#lib/slug";
import { noteCredentialsOfDeletedUser } from "#records/credentials";
import { requestEvaluationOfEmail } from "#records/discovery";
import { revokeIssued, revokeLostIssues } from "#records/issuers";
import { noteToolkitsOfDeletedUser } from "#records/toolkits";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { linkedIds, readIds } from "#storage/linked-ids";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";

/** The columns that the API shows, without keys, search text and sealed values. */
const SHOWN = [
  "id",
  "name",
  "email",
  "is_machine_user",
  "slug",
  "role",
  "disabled",
  "risk_score",
  "toolkit",
  "external_id",
  "provisioned_by",
  "suspended",
  "created_at",
  "updated_at",
] as const;
type ShownUser = Pick<UserRow, (typeof SHOWN)[number]>;

export interface UserWithLinks extends ShownUser {
  readonly group_ids: readonly string[];
  readonly owner_ids: readonly string[];
}

/** Folded name and email, for `search`. */
export function userSearchText(name: string, email: string): string {
  return `${fold(name)}\n${fold(email)}`;
}

export interface UserFilter {
  readonly search?: string | undefined;
  readonly isMachineUser?: boolean | undefined;
  readonly groupId?: string | undefined;
  readonly excludedGroupId?: string | undefined;
  /** Machine users have no role. */
  readonly role?: UserRow["role"] | undefined;
}

export async function listUsers(
  db: MainDb,
  { skip, limit, ...filter }: UserFilter & { skip: number; limit: number },
): Promise<UserWithLinks[]> {
  // Selects the page before its links. Otherwise Postgres would look up the links of skipped rows too.
  const page = matchingUsers(db, filter).orderBy("created_at").orderBy("id").offset(skip).limit(limit);
  const rows = await shown(db).where("users.id", "in", page).orderBy("created_at").orderBy("id").execute();
  return rows.map(withLinks);
}

function matchingUsers(db: MainDb, { search, isMachineUser, groupId, excludedGroupId, role }: UserFilter) {
  const members = (id: string) => db.selectFrom("group_users").select("user_id").where("group_id", "=", id);
  let users = db.selectFrom("users").select("id");
  if (search !== undefined) users = users.where(contains("search_text", search));
  if (isMachineUser !== undefined) users = users.where("is_machine_user", "=", isMachineUser);
  if (groupId !== undefined) users = users.where("id", "in", members(groupId));
  if (excludedGroupId !== undefined) users = users.where("id", "not in", members(excludedGroupId));
  if (role !== undefined) users = users.where("role", "=", role).where("is_machine_user", "=", false);
  return users;
}

/** Reads links with their row, which saves round trips to the database. */
function shown(db: MainDb) {
  return db
    .selectFrom("users")
    .select(SHOWN)
    .select([
      linkedIds(db, "group_users", "group_id", "user_id", "users.id").as("group_ids"),
      linkedIds(db, "user_owners", "owner_id", "user_id", "users.id").as("owner_ids"),
    ]);
}

function withLinks(row: ShownUser & { group_ids: string; owner_ids: string }): UserWithLinks {
  return { ...row, group_ids: readIds(row.group_ids), owner_ids: readIds(row.owner_ids) };
}

export async function findUser(db: MainDb, email: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("email_key", "=", fold(email)).executeTakeFirst();
}

export async function findUserById(db: MainDb, id: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Compares exactly, as RFC 7643 demands of `externalId`. */
export async function findUserByExternalId(
  db: MainDb,
  externalId: string,
  isMachineUser: boolean,
): Promise<UserRow | undefined> {
  return db
    .selectFrom("users")
    .selectAll()
    .where("is_machine_user", "=", isMachineUser)
    .where("external_id", "=", externalId)
    .executeTakeFirst();
}

export async function lockUser(tx: MainTransaction, email: string): Promise<UserRow | undefined> {
  return lockRows(tx, tx.selectFrom("users").selectAll().where("email_key", "=", fold(email))).executeTakeFirst();
}

export async function lockUserById(tx: MainTransaction, id: string): Promise<UserRow | undefined> {
  return lockRows(tx, tx.selectFrom("users").selectAll().where("id", "=", id)).executeTakeFirst();
}

export async function findUsersByEmail(db: MainDb, emails: readonly string[]): Promise<UserRow[]> {
  if (emails.length === 0) return [];
  return db.selectFrom("users").selectAll().where("email_key", "in", emails.map(fold)).execute();
}

/** Names and emails, by user id. */
export async function userNames(
  db: MainDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<UserRow, "id" | "name" | "email">>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("users").select(["id", "name", "email"]).where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function findUserWithLinks(db: MainDb, email: string): Promise<UserWithLinks | undefined> {
  const row = await shown(db).where("users.email_key", "=", fold(email)).executeTakeFirst();
  return row && withLinks(row);
}

export async function userWithLinks(db: MainDb, id: string): Promise<UserWithLinks> {
  return withLinks(await shown(db).where("users.id", "=", id).executeTakeFirstOrThrow());
}

/** The row of a person with only a name and an email. */
export function newUserRow(id: string, name: string, email: string, now: number): UserRow {
  return {
    id,
    name,
    email,
    email_key: fold(email),
    search_text: userSearchText(name, email),
    is_machine_user: false,
    slug: null,
    role: "member",
    disabled: false,
    suspended: false,
    disabled_by_admin: false,
    risk_score: null,
    sealed_client_credentials: null,
    created_at: now,
    updated_at: now,
  };
}

/** A taken email violates `users_email_key`, which `storage/constraints.ts` turns into the API's error. */
export async function insertPerson(tx: MainTransaction, trail: WriteTrail, row: UserRow): Promise<void> {
  await tx.insertInto("users").values(row).execute();
  trail.changed("user", row.id);
}

/** D18: inserts under the wanted slug or the first free one after it. The email contains the slug. */
export async function insertMachineUser(
  tx: MainTransaction,
  trail: WriteTrail,
  row: UserRow,
  wantedSlug: string,
  emailOf: (slug: string) => string,
): Promise<void> {
  let attempt = firstFreeAttempt(wantedSlug, await takenSlugs(tx, wantedSlug));
  for (;;) {
    const slug = slugCandidate(wantedSlug, attempt);
    const email = emailOf(slug);
    const inserted = await tx
      .insertInto("users")
      .values({ ...row, slug, email, email_key: fold(email), search_text: userSearchText(row.name, email) })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) return trail.changed("user", row.id);
    // Another slug would not resolve this conflict.
    if (row.external_id != null && (await findUserByExternalId(tx, row.external_id, true))) throw externalIdTaken();
    attempt++;
  }
}

async function takenSlugs(tx: MainTransaction, wanted: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom("users")
    .select("slug")
    .where((where) => where.or([where("slug", "=", wanted), where("slug", "like", `${wanted.slice(0, 30)}%`)]))
    .execute();
  return new Set(rows.map((row) => row.slug ?? ""));
}

/** Revokes what the user can no longer issue if the role or the status changes. */
export async function updateUser(
  tx: MainTransaction,
  trail: WriteTrail,
  id: string,
  changes: Partial<Omit<UserRow, "id" | "created_at">>,
): Promise<void> {
  if (changes.email_key !== undefined) await noteChangedEmail(tx, id, changes.email_key);
  await tx.updateTable("users").set(changes).where("id", "=", id).execute();
  if (changes.role !== undefined || changes.disabled !== undefined) await revokeLostIssues(tx, trail, id);
  trail.changed("user", id);
}

async function noteChangedEmail(tx: MainTransaction, id: string, emailKey: string): Promise<void> {
  const before = await tx.selectFrom("users").select("email_key").where("id", "=", id).executeTakeFirst();
  if (before && before.email_key !== emailKey) await requestEvaluationOfEmail(tx, before.email_key);
}

/** The sealed client credentials of those machine users that have any. */
export async function clientCredentialsAmong(
  db: MainDb,
  userIds: readonly string[],
): Promise<Pick<UserRow, "id" | "sealed_client_credentials">[]> {
  if (userIds.length === 0) return [];
  return db
    .selectFrom("users")
    .select(["id", "sealed_client_credentials"])
    .where("id", "in", userIds)
    .where("sealed_client_credentials", "is not", null)
    .execute();
}

/** All machine users with client credentials, which are sealed. */
export async function usersWithClientCredentials(
  db: MainDb,
): Promise<Pick<UserRow, "id" | "sealed_client_credentials">[]> {
  return db
    .selectFrom("users")
    .select(["id", "sealed_client_credentials"])
    .where("sealed_client_credentials", "is not", null)
    .execute();
}

/** The ids of all users whose name or email contains the text. */
export async function matchingUserIds(db: MainDb, search: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("users").select("id").where(contains("search_text", search)).execute();
  return new Set(rows.map((row) => row.id));
}

/** Also deletes group memberships, ownerships on both sides, credentials, connections, toolkits, and what the user issued (D17, AZ-7). */
export async function deleteUser(tx: MainTransaction, trail: WriteTrail, id: string): Promise<void> {
  await revokeIssued(tx, trail, { responsibleId: id }, "the responsible person was deleted");
  await noteCredentialsOfDeletedUser(tx, trail, id);
  await noteToolkitsOfDeletedUser(tx, trail, id);
  // Families 7: an agent without its machine user cannot call anything.
  const paused = tx.updateTable("agents").set({ status: "paused" }).where("status", "=", "active");
  await paused.where("identity_id", "=", id).execute();
  await tx.deleteFrom("users").where("id", "=", id).execute();
  trail.changed("user", id);
}

export async function ownedUserIds(db: MainDb, ownerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("user_owners")
    .select("user_id")
    .where("owner_id", "=", ownerId)
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}

/** The given ids that do not belong to a person, in the given order (D17: owners are people). */
export async function unknownOwnerIds(db: MainDb, ownerIds: readonly string[]): Promise<string[]> {
  if (ownerIds.length === 0) return [];
  const people = await db
    .selectFrom("users")
    .select("id")
    .where("id", "in", ownerIds)
    .where("is_machine_user", "=", false)
    .execute();
  const known = new Set(people.map((person) => person.id));
  return ownerIds.filter((id) => !known.has(id));
}

export async function replaceOwners(tx: MainTransaction, userId: string, ownerIds: readonly string[]): Promise<void> {
  await tx.deleteFrom("user_owners").where("user_id", "=", userId).execute();
  const distinct = [...new Set(ownerIds)];
  if (distinct.length === 0) return;
  await tx
    .insertInto("user_owners")
    .values(distinct.map((ownerId) => ({ user_id: userId, owner_id: ownerId })))
    .execute();
}

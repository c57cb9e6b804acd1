import { sql } from "kysely";
import type { MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockPolicy, requestEvaluation, updatePolicy } from "./policy.ts";

/** Requests an evaluation of the devices whose users were added to groups or removed from them. */
export async function followGroups(tx: MainTransaction): Promise<void> {
  const { followed_revision: followed } = await lockPolicy(tx);
  const { revision } = await tx.selectFrom("change_counter").select("revision").executeTakeFirstOrThrow();
  if (revision === followed) return;
  const oldest = await tx.selectFrom("changes").select("revision").orderBy("revision").limit(1).executeTakeFirst();
  const isTrimmed = oldest !== undefined && oldest.revision > followed + 1;
  const userIds = isTrimmed ? undefined : await changedUsers(tx, followed);
  // A deleted user or group leaves no trace of the devices that it concerned.
  if (userIds === undefined) await requestEvaluation(tx);
  else if (userIds.length > 0) await requestEvaluationOf(tx, userIds);
  await updatePolicy(tx, { followed_revision: revision });
}

/** Users that changed, and members of groups that changed. Undefined if one of them was deleted. */
async function changedUsers(tx: MainTransaction, after: number): Promise<string[] | undefined> {
  const rows = await tx
    .selectFrom("changes")
    .select(["kind", "target_id"])
    .distinct()
    .where("revision", ">", after)
    .where("kind", "in", ["user", "group"])
    .execute();
  const idsOf = (kind: "user" | "group") => rows.filter((row) => row.kind === kind).map((row) => row.target_id);
  const [userIds, groupIds] = [idsOf("user"), idsOf("group")];
  if (await isSomeMissing(tx, "users", userIds)) return undefined;
  if (await isSomeMissing(tx, "groups", groupIds)) return undefined;
  if (groupIds.length === 0) return userIds;
  const members = await tx
    .selectFrom("group_users")
    .select("user_id")
    .distinct()
    .where(sql<boolean>`group_id in ${idList(tx, groupIds)}`)
    .execute();
  return [...new Set([...userIds, ...members.map(({ user_id }) => user_id)])];
}

async function isSomeMissing(tx: MainTransaction, table: "users" | "groups", ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const { n } = await tx
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as("n"))
    .where(sql<boolean>`id in ${idList(tx, ids)}`)
    .executeTakeFirstOrThrow();
  return n < ids.length;
}

async function requestEvaluationOf(tx: MainTransaction, userIds: readonly string[]): Promise<void> {
  await sql`update discovery_devices set evaluation = 0
    where lower(coalesce(assigned_email, reported_email)) in
      (select email_key from users where id in ${idList(tx, userIds)})`.execute(tx);
}

/** For a user's previous email: the user no longer leads to the devices that have it. */
export async function requestEvaluationOfEmail(tx: MainTransaction, emailKey: string): Promise<void> {
  await sql`update discovery_devices set evaluation = 0
    where lower(coalesce(assigned_email, reported_email)) = ${emailKey}`.execute(tx);
}

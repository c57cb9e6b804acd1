import { groupNames, joinAutoAssignGroups, userLinks } from "#records/groups";
import { insertPerson, newUserRow } from "#records/users";
import type { MainTransaction } from "#storage/database";
import type { ExchangeProviderRow } from "#storage/exchange-tables";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import type { Claims } from "./claims.ts";
import { claimAt } from "./claims.ts";
import type { ResolvedUser } from "./resolve-user.ts";

interface Provisioning {
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
}

/** Creates a person without any role, in the groups of the provider and those that the claim names. */
export async function createUser(
  { tx, trail }: Provisioning,
  { slug, definition: { provision } }: ExchangeProviderRow,
  { id, now, claims }: { readonly id: string; readonly now: number; readonly claims: Claims },
  { name, email }: Extract<ResolvedUser, { kind: "new" }>,
): Promise<UserRow> {
  const row = newUserRow(id, name, email, now);
  await insertPerson(tx, trail, row);
  await joinAutoAssignGroups(tx, trail, "auto_assign_users", id);
  const wanted = [...provision.groups, ...mappedGroups(provision, claims)];
  const existing = await groupNames(tx, [...new Set(wanted)]);
  const links = [...existing.keys()].map((groupId) => ({ groupId, memberId: id }));
  await userLinks.add(tx, trail, links);
  const groups = [...existing.values()];
  trail.audit({
    operation: "createUser",
    target: { kind: "user", id, name: email },
    after: { id, name, email, role: row.role, groups, by: `exchange:${slug}` },
  });
  return row;
}

/** Sets membership of the groups in the mapping to what the issuer reports. Other groups are not changed. */
export async function syncGroups(
  { tx, trail }: Provisioning,
  { definition: { provision } }: ExchangeProviderRow,
  user: UserRow,
  claims: Claims,
): Promise<void> {
  if (!provision.sync_groups || provision.group_claim === null || user.is_machine_user) return;
  const existing = await groupNames(tx, [...new Set(Object.values(provision.group_map))]);
  const wanted = new Set(mappedGroups(provision, claims));
  const current = new Set((await userLinks.groupsOf(tx, [user.id])).get(user.id));
  for (const groupId of existing.keys()) {
    const link = { groupId, memberId: user.id };
    if (wanted.has(groupId) && !current.has(groupId)) await userLinks.add(tx, trail, [link]);
    if (!wanted.has(groupId) && current.has(groupId)) await userLinks.remove(tx, trail, link);
  }
}

/** IDs of groups. */
function mappedGroups(
  { group_claim: claim, group_map: map }: ExchangeProviderRow["definition"]["provision"],
  claims: Claims,
): string[] {
  const given = claim === null ? [] : [claimAt(claims, claim) ?? []].flat();
  return given.flatMap((each) => (typeof each === "string" && Object.hasOwn(map, each) ? (map[each] ?? []) : []));
}

import { joinAutoAssignGroups, unprovisionedGroupNames, userLinks } from "#records/groups";
import { insertPerson, newUserRow } from "#records/users";
import type { MainTransaction } from "#storage/database";
import type { ExchangeProviderRow } from "#storage/exchange-tables";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { mapClaimGroups } from "../claim-groups.ts";
import type { Claims } from "./claims.ts";
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
  { name, email, externalId }: Extract<ResolvedUser, { kind: "new" }>,
): Promise<UserRow> {
  const row = { ...newUserRow(id, name, email, now), external_id: externalId };
  await insertPerson(tx, trail, row);
  await joinAutoAssignGroups(tx, trail, "auto_assign_users", id);
  const wanted = [...provision.groups, ...mapClaimGroups(claims, provision)];
  const existing = await unprovisionedGroupNames(tx, [...new Set(wanted)]);
  const links = [...existing.keys()].map((groupId) => ({ groupId, memberId: id }));
  await userLinks.add(tx, trail, links);
  const groups = [...existing.values()];
  trail.audit({
    operation: "createUser",
    target: { kind: "user", id, name: email },
    after: { id, name, email, external_id: externalId, role: row.role, groups, by: `exchange:${slug}` },
  });
  return row;
}

/** Sets membership of the groups in the mapping to what the issuer reports. Other groups, and those that SCIM manages, are not changed. */
export async function syncGroups(
  { tx, trail }: Provisioning,
  { definition: { provision } }: ExchangeProviderRow,
  user: UserRow,
  claims: Claims,
): Promise<void> {
  if (!provision.sync_groups || provision.group_claim === null || user.is_machine_user) return;
  const existing = await unprovisionedGroupNames(tx, [...new Set(Object.values(provision.group_map))]);
  const wanted = new Set(mapClaimGroups(claims, provision));
  const current = new Set((await userLinks.groupsOf(tx, [user.id])).get(user.id));
  for (const groupId of existing.keys()) {
    const link = { groupId, memberId: user.id };
    if (wanted.has(groupId) && !current.has(groupId)) await userLinks.add(tx, trail, [link]);
    if (!wanted.has(groupId) && current.has(groupId)) await userLinks.remove(tx, trail, link);
  }
}

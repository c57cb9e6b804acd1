import { groupNames, groupsOfUsers, unprovisionedGroupNames } from "#records/groups";
import type { IdentityProviderRow } from "#records/identity-provider";
import type { MainDb } from "#storage/database";
import { readClaimGroups } from "./claim-groups.ts";

export type GroupRules = Pick<IdentityProviderRow, "groups_claim" | "group_mapping" | "remove_from_groups">;

/** What a sign-in does with a person's groups. Names by ID. */
export interface GroupPlan {
  readonly joins: ReadonlyMap<string, string>;
  readonly leaves: ReadonlyMap<string, string>;
  /** Mapped groups that the person is in and stays in. */
  readonly keeps: ReadonlyMap<string, string>;
  /** Mapped groups that SCIM manages, which a sign-in does not change. */
  readonly managedByScim: ReadonlyMap<string, string>;
  /** Values of the claim that no group is mapped to. */
  readonly unmapped: readonly string[];
}

/** Groups of the mapping follow the claim. Other groups, and those that SCIM manages, are not changed. */
export async function planGroups(
  db: MainDb,
  { groups_claim, group_mapping, remove_from_groups }: GroupRules,
  userId: string | undefined,
  claims: Readonly<Record<string, unknown>>,
): Promise<GroupPlan> {
  const { groups, unmapped } = readClaimGroups(claims, { group_claim: groups_claim, group_map: group_mapping });
  const wanted = new Set(groups);
  const mapped = groups_claim === null ? [] : [...new Set(Object.values(group_mapping))];
  const all = await groupNames(db, mapped);
  const changeable = await unprovisionedGroupNames(db, mapped);
  const memberships = userId === undefined ? [] : ((await groupsOfUsers(db, [userId])).get(userId) ?? []);
  const current = new Set(memberships.map(({ id }) => id));
  const among = (groupsByName: ReadonlyMap<string, string>, isChosen: (id: string) => boolean) =>
    new Map([...groupsByName].filter(([id]) => isChosen(id)));
  return {
    joins: among(changeable, (id) => wanted.has(id) && !current.has(id)),
    leaves: among(changeable, (id) => !wanted.has(id) && current.has(id) && remove_from_groups),
    keeps: among(changeable, (id) => current.has(id) && (wanted.has(id) || !remove_from_groups)),
    managedByScim: among(all, (id) => !changeable.has(id)),
    unmapped,
  };
}

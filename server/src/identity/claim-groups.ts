/** A claim by its path, such as `realm_access.roles`, or by its segments if names contain dots or slashes. */
export type ClaimPath = string | readonly string[];

export interface GroupClaim {
  /** The claim that lists a person's groups. Null or omitted: none. */
  readonly group_claim?: ClaimPath | null | undefined;
  /** Maps groups of the provider to groups of the organization. Null or omitted: the names are equal. */
  readonly group_map?: Readonly<Record<string, string>> | null | undefined;
}

export interface ClaimGroups {
  /** The groups of the organization, each once, in the order of the claim. */
  readonly groups: readonly string[];
  /** Groups of the provider that the map does not contain, each once. */
  readonly unmapped: readonly string[];
}

/** A claim can hold any number of values. More than any provider puts into a token. */
const MAX_GROUPS = 2_000;
const MAX_GROUP_LENGTH = 1_000;

/** The organization's groups of a person, from the claims of their token. */
export function mapClaimGroups(claims: Readonly<Record<string, unknown>>, claim: GroupClaim): string[] {
  return [...readClaimGroups(claims, claim).groups];
}

/** The same, with the values that map to no group. */
export function readClaimGroups(
  claims: Readonly<Record<string, unknown>>,
  { group_claim: path, group_map: map }: GroupClaim,
): ClaimGroups {
  const groups = new Set<string>();
  const unmapped = new Set<string>();
  for (const value of path == null ? [] : groupValues(claimAt(claims, path))) {
    if (map == null) groups.add(value);
    else if (Object.hasOwn(map, value)) groups.add(map[value] ?? "");
    else unmapped.add(value);
  }
  groups.delete("");
  return { groups: [...groups], unmapped: [...unmapped] };
}

/**
 * The value of a claim; undefined if it is missing. A claim whose whole name is the path, such as
 * `https://example.com/groups`, comes before nested claims.
 */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: ClaimPath): unknown {
  if (typeof path === "string" && Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const segment of typeof path === "string" ? path.split(".") : path) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, segment)) return;
    value = Reflect.get(value, segment);
  }
  return value;
}

/** The texts of a claim that is a text or an array. Other values are not names of groups. */
function groupValues(claim: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim.slice(0, MAX_GROUPS) : [claim];
  return values
    .filter((value) => typeof value === "string")
    .map((value) => value.trim())
    .filter((value) => value !== "" && value.length <= MAX_GROUP_LENGTH);
}

import { createHash } from "node:crypto";
import type { Membership } from "#records/groups";
import type { GroupRow, UserRow } from "#storage/user-tables";
import { DEFAULT_EMAIL_TYPE } from "./user-draft.ts";

export const SCHEMAS = {
  user: "urn:ietf:params:scim:schemas:core:2.0:User",
  group: "urn:ietf:params:scim:schemas:core:2.0:Group",
  list: "urn:ietf:params:scim:api:messages:2.0:ListResponse",
  error: "urn:ietf:params:scim:api:messages:2.0:Error",
} as const;

/** A resource as it is sent. `meta.version` is a digest of the other values. */
export interface ScimResource {
  readonly schemas: readonly string[];
  readonly id: string;
  readonly meta: {
    readonly resourceType: string;
    readonly created: string;
    readonly lastModified: string;
    readonly location: string;
    readonly version?: string;
  };
  readonly [attribute: string]: unknown;
}

export function presentUser(baseUrl: string, row: UserRow, groups: readonly Membership[]): ScimResource {
  const isProvisioned = row.provisioned_by != null;
  const { displayName: _, emailType = DEFAULT_EMAIL_TYPE, ...parts } = row.scim_profile ?? {};
  const name = isProvisioned ? parts : { formatted: row.name };
  return withVersion({
    schemas: [SCHEMAS.user],
    id: row.id,
    ...(row.external_id != null && { externalId: row.external_id }),
    userName: row.user_name ?? row.email,
    ...(Object.keys(name).length > 0 && { name }),
    displayName: row.name,
    active: !row.suspended,
    emails: [{ value: row.email, type: emailType, primary: true }],
    groups: groups.map(({ id, name: display }) => ({ value: id, $ref: locationOf(baseUrl, "Groups", id), display })),
    meta: metaOf(baseUrl, "User", row),
  });
}

/** Without members, and then without a version, if the request excluded them. */
export function presentGroup(baseUrl: string, row: GroupRow, people: readonly Membership[] | undefined): ScimResource {
  const resource = {
    schemas: [SCHEMAS.group],
    id: row.id,
    ...(row.external_id != null && { externalId: row.external_id }),
    displayName: row.name,
    meta: metaOf(baseUrl, "Group", row),
  };
  if (!people) return resource;
  const members = people.map(({ id, name }) => ({
    value: id,
    $ref: locationOf(baseUrl, "Users", id),
    display: name,
    type: "User",
  }));
  return withVersion({ ...resource, members });
}

function metaOf(
  baseUrl: string,
  resourceType: "User" | "Group",
  row: Pick<UserRow, "id" | "created_at" | "updated_at">,
) {
  return {
    resourceType,
    created: new Date(row.created_at).toISOString(),
    lastModified: new Date(row.updated_at).toISOString(),
    location: locationOf(baseUrl, `${resourceType}s`, row.id),
  };
}

function locationOf(baseUrl: string, type: string, id: string): string {
  return `${baseUrl}/scim/v2/${type}/${id}`;
}

function withVersion(resource: ScimResource): ScimResource {
  const digest = createHash("sha256").update(JSON.stringify(resource)).digest("base64url").slice(0, 22);
  return { ...resource, meta: { ...resource.meta, version: `W/"${digest}"` } };
}

const ALWAYS: ReadonlySet<string> = new Set(["schemas", "id"]);

/** `attributes` and `excludedAttributes` (RFC 7644, section 3.9), as lower-case paths. */
export interface Projection {
  readonly only: readonly string[] | undefined;
  readonly without: readonly string[];
}

export function includesAttribute({ only, without }: Projection, attribute: string): boolean {
  if (only) return only.some((path) => path === attribute || path.startsWith(`${attribute}.`));
  return !without.includes(attribute);
}

export function project(resource: ScimResource, projection: Projection): object {
  const { only, without } = projection;
  const kept = Object.entries(resource).flatMap(([name, value]) => {
    const attribute = name.toLowerCase();
    if (ALWAYS.has(attribute)) return [[name, value] as const];
    if (!includesAttribute(projection, attribute)) return [];
    const subs = (paths: readonly string[]) =>
      paths.filter((path) => path.startsWith(`${attribute}.`)).map((path) => path.slice(attribute.length + 1));
    if (only && !only.includes(attribute)) return [[name, keepMembers(value, subs(only), true)] as const];
    const dropped = subs(without);
    return [[name, dropped.length === 0 || only ? value : keepMembers(value, dropped, false)] as const];
  });
  return Object.fromEntries(kept);
}

function keepMembers(value: unknown, names: readonly string[], keep: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => keepMembers(each, names, keep));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name.toLowerCase()) === keep));
}

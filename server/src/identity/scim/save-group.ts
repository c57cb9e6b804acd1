import { fold } from "#lib/fold";
import {
  deleteGroup,
  findGroup,
  insertGroup,
  listGroupRows,
  peopleOfGroups,
  updateGroup,
  userLinks,
} from "#records/groups";
import { unknownPersonIds } from "#records/users";
import type { MainTransaction } from "#storage/database";
import type { GroupRow } from "#storage/user-tables";
import { matchesFilter, memberOf } from "./match-filter.ts";
import type { PatchOperation } from "./patch.ts";
import type { ScimWrite } from "./save-user.ts";
import { invalidValue, notUnique, ScimError } from "./scim-error.ts";
import { readText } from "./user-draft.ts";

/** The attributes of a group that SCIM manages, while a request changes them. Members are people. */
export interface GroupDraft {
  displayName: string | null;
  externalId: string | null;
  members: ReadonlySet<string>;
}

const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:group";
/** Of the IDs in a message or an audit entry. */
const MOST_NAMED = 20;

export async function groupDraftOf(tx: MainTransaction, row: GroupRow): Promise<GroupDraft> {
  const people = (await peopleOfGroups(tx, [row.id])).get(row.id) ?? [];
  return { displayName: row.name, externalId: row.external_id ?? null, members: new Set(people.map(({ id }) => id)) };
}

export function emptyGroupDraft(): GroupDraft {
  return { displayName: null, externalId: null, members: new Set() };
}

/** Applies one attribute of a body or one operation of a PATCH. Other attributes are ignored. */
export function changeGroupDraft(draft: GroupDraft, { op, path, value }: PatchOperation): void {
  const { attribute, schema } = path;
  if (schema !== undefined && schema !== GROUP_SCHEMA) return;
  if (attribute === "displayname") draft.displayName = op === "remove" ? null : readText("displayName", value);
  if (attribute === "externalid") draft.externalId = op === "remove" ? null : readText("externalId", value);
  if (attribute === "members") draft.members = changeMembers(draft.members, { op, path, value });
}

function changeMembers(members: ReadonlySet<string>, { op, path, value }: PatchOperation): ReadonlySet<string> {
  const { filter, sub } = path;
  if (filter !== undefined) {
    if (op !== "remove") throw new ScimError(400, "path: members with a filter can only be removed", "invalidPath");
    return new Set([...members].filter((id) => !matchesFilter(filter, { value: id, type: "User" })));
  }
  if (sub !== undefined && sub !== "value")
    throw new ScimError(400, `path: members.${sub} cannot be changed`, "mutability");
  const ids = memberIds(value);
  if (op === "replace") return new Set(ids);
  if (op === "add") return members.union(new Set(ids));
  // Entra removes members with a path without a filter, and names them in the value.
  return value == null ? new Set() : members.difference(new Set(ids));
}

function memberIds(value: unknown): string[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : value == null ? [] : [value];
  return given.map((each) => {
    const id = typeof each === "object" && each !== null ? memberOf(each, "value") : each;
    const type = typeof each === "object" && each !== null ? memberOf(each, "type") : undefined;
    if (typeof type === "string" && type.toLowerCase() === "group") {
      throw invalidValue("members: groups in groups are not supported. Assign people instead");
    }
    if (typeof id !== "string" || !/^[\w-]{1,255}$/.test(id))
      throw invalidValue("members: must have IDs of users as value");
    return id;
  });
}

export async function createGroup(write: ScimWrite, draft: GroupDraft): Promise<string> {
  const { tx, trail, now, newId } = write;
  const name = requiredName(draft);
  const id = newId("grp");
  await rejectTaken(tx, id, name, draft.externalId);
  const isOff = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false };
  const provisioned = { provisioned_by: "scim", external_id: draft.externalId } as const;
  await insertGroup(tx, trail, {
    ...{ id, name, name_key: fold(name), ...isOff, ...provisioned },
    created_at: now,
    updated_at: now,
  });
  const added = [...draft.members];
  await addMembers(write, id, added);
  const after = { name, external_id: draft.externalId, members_count: added.length };
  trail.audit({ operation: "scimCreateGroup", target: { kind: "group", id, name }, after });
  return id;
}

/** Saves what the provider manages. Machine users stay members. Does nothing if nothing changes. */
export async function saveGroup(write: ScimWrite, row: GroupRow, before: GroupDraft, draft: GroupDraft): Promise<void> {
  const { tx, trail, now } = write;
  const name = requiredName(draft);
  const added = [...draft.members.difference(before.members)];
  const removed = [...before.members.difference(draft.members)];
  const isSame = name === row.name && draft.externalId === before.externalId && added.length + removed.length === 0;
  if (isSame && row.provisioned_by != null) return;
  await rejectTaken(tx, row.id, name, draft.externalId);
  await updateGroup(tx, trail, row.id, {
    name,
    name_key: fold(name),
    provisioned_by: "scim",
    external_id: draft.externalId,
    // The provider decides who the members are.
    auto_assign_users: false,
    updated_at: now,
  });
  await addMembers(write, row.id, added);
  await userLinks.removeAll(tx, trail, row.id, removed);
  trail.audit({
    operation: "scimUpdateGroup",
    target: { kind: "group", id: row.id, name },
    before: { name: row.name, external_id: before.externalId, provisioned_by: row.provisioned_by ?? null },
    after: {
      ...{ name, external_id: draft.externalId, provisioned_by: "scim" },
      ...(added.length > 0 && { added_count: added.length, added_users: added.slice(0, MOST_NAMED) }),
      ...(removed.length > 0 && { removed_count: removed.length, removed_users: removed.slice(0, MOST_NAMED) }),
    },
  });
}

export async function removeGroup({ tx, trail }: ScimWrite, row: GroupRow): Promise<void> {
  await deleteGroup(tx, trail, row.id);
  const before = { name: row.name, external_id: row.external_id ?? null, provisioned_by: row.provisioned_by ?? null };
  trail.audit({ operation: "scimDeleteGroup", target: { kind: "group", id: row.id, name: row.name }, before });
}

async function addMembers({ tx, trail }: ScimWrite, groupId: string, ids: readonly string[]): Promise<void> {
  const unknown = await unknownPersonIds(tx, ids);
  if (unknown.length > 0) {
    throw invalidValue(`members: no user has the ID ${unknown.slice(0, MOST_NAMED).join(", ")}`);
  }
  await userLinks.add(
    tx,
    trail,
    ids.map((memberId) => ({ groupId, memberId })),
  );
}

function requiredName({ displayName }: GroupDraft): string {
  if (displayName === null) throw invalidValue("displayName: displayName is required");
  return displayName;
}

async function rejectTaken(tx: MainTransaction, id: string, name: string, externalId: string | null): Promise<void> {
  const named = await findGroup(tx, name);
  if (named && named.id !== id) throw notUnique(`displayName: group ${named.name} already exists`);
  if (externalId === null) return;
  const [other] = await listGroupRows(tx, { key: { by: "externalId", value: externalId }, limit: 1 });
  if (other && other.id !== id) throw notUnique(`externalId: ${externalId} belongs to group ${other.name}`);
}

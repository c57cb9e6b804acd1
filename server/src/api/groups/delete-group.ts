import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { managedByScim, notFound } from "#lib/errors";
import { deleteGroup as deleteRow, groupWithCounts, lockGroup } from "#records/groups";
import { presentGroup } from "./schema.ts";

/** Spec 4.3: members lose the access that the group gave them. */
export const deleteGroup = write({
  id: "deleteGroup",
  route: "DELETE /api/groups",
  tag: "Groups",
  summary: "Delete a group",
  description: "Members lose access to servers that no other group gives them. This cannot be undone.",
  scope: "admin:write",
  query: { name: targetParameter("The group's name, case-insensitive", "Engineering") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete group",
  async run({ tx, trail, query }) {
    const row = await lockGroup(tx, query.name);
    if (!row) throw notFound.group();
    if (row.provisioned_by != null) throw managedByScim("name", "group");
    const before = presentGroup(await groupWithCounts(tx, row.id));
    await deleteRow(tx, trail, row.id);
    trail.audit({ operation: "deleteGroup", target: { kind: "group", id: row.id, name: row.name }, before });
    return { status: 200, body: { message: "Group deleted successfully" } };
  },
});

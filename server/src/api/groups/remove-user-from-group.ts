import { Success } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { managedByScim, notFound } from "#lib/errors";
import { lockGroup, userLinks } from "#records/groups";
import { findUser } from "#records/users";

/** D20: succeeds for a user who is not a member. */
export const removeUserFromGroup = write({
  id: "removeUserFromGroup",
  route: "DELETE /api/groups/{name}/users",
  tag: "Groups",
  summary: "Remove a user from a group",
  description: "Succeeds if the user is not a member.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  query: { email: targetParameter("The user's email, case-insensitive", "ada@example.com") },
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to remove user from group",
  async run({ tx, trail, path, query }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const user = await findUser(tx, query.email);
    if (!user) throw notFound.user(query.email);
    if (group.provisioned_by != null && !user.is_machine_user) throw managedByScim("email", "group");
    const wasMember = await userLinks.remove(tx, trail, { groupId: group.id, memberId: user.id });
    trail.audit({
      operation: "removeUserFromGroup",
      target: { kind: "group", id: group.id, name: group.name },
      before: { emails: wasMember ? [user.email] : [] },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
